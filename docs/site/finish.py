#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finishes the pages that Doxygen wrote: finish.py <repository> <folder of the HTML>

- Every page gets a sidebar with all pages of the guide and with the headings of the page itself.
- Pages of the guide and of the reference get links to the page before, the page after and the source.
- search-index.js gets the words of these pages, and the names of all else.
- Pages with formulas load MathJax.
"""
import html
import json
import pathlib
import re
import sys

CHAPTERS = {
    "Start": ["index", "install", "getting_started"],
    "Guide": ["choosing_a_model", "choosing_lambda", "choosing_an_optimizer", "evaluation", "model_files", "online_learning", "text_at_scale",
              "distributed", "programs", "extend"],
    "Reference": ["models", "losses", "optimizers", "conventions", "modules"],
    "Tutorial": ["linear_classification", "gallery"],
    "Help": ["coming_from", "troubleshooting", "faq"],
    "Contributors": ["architecture", "numerics", "testing", "model_format", "lectures"]}
PARTS = {"models": "model_", "losses": "loss_", "optimizers": "optimizer_"}
MATHJAX = """<script>
MathJax = {jax: ["input/TeX", "output/SVG"], extensions: ["tex2jax.js", "TeX/AMSmath.js", "TeX/AMSsymbols.js"], messageStyle: "none", showMathMenu: false};
</script>
<script src="mathjax/MathJax.js"></script>
"""


def text_of(source):
    source = re.sub(r"<(script|style)\b.*?</\1>", "", source, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", source))).strip()


class Finished:
    def __init__(self, repository, folder):
        self.repository, self.folder = pathlib.Path(repository), pathlib.Path(folder)
        self.pages = {path.stem: path.read_text() for path in sorted(self.folder.glob("*.html"))}
        self.files = {name for name in self.pages if name.endswith("_8md")}  # Doxygen's pages of Markdown files
        self.order, self.parents = [], {}
        for names in CHAPTERS.values():
            for name in names:
                self.order.append(name)
                if name in PARTS:
                    parts = self.parts(name)
                    self.order += parts
                    self.parents.update(dict.fromkeys(parts, name))
        missing = [name for name in self.order if name not in self.pages]
        if missing:
            raise SystemExit(f"finish.py: no pages {missing}")

    def parts(self, name):
        """The pages of single models, losses or optimizers, in the order in which their page names them."""
        found = re.findall(rf'href="({PARTS[name]}[A-Z]\w*)\.html"', self.main(name))
        return list(dict.fromkeys(found)) + [page for page in self.pages if re.match(PARTS[name] + "[A-Z]", page) and page not in found and page not in self.files]

    def main(self, name):
        return re.search(r"<main>(.*)</main>", self.pages[name], re.S).group(1)

    def title(self, name):
        if name == "index":
            return "Overview"
        if name == "modules":
            return "All names"
        return html.unescape(re.search(r'<div class="title">(.*?)</div>', self.pages[name], re.S).group(1).split("<")[0]).strip()

    def sidebar(self, name):
        headings = re.findall(r'<h[12]><a class="anchor" id="([^"]+)"></a>\s*(.*?)</h[12]>', self.main(name), re.S) if name in self.order else []
        contents = "".join(f'<li><a href="#{anchor}">{re.sub("<[^>]+>", "", text).strip()}</a></li>' for anchor, text in headings if anchor)
        contents = f'<ul class="contents">{contents}</ul>' if contents else ""

        def entry(page, inside=""):
            here = ' class="here"' if page == name else ""
            return f'<li><a href="{page}.html"{here}>{html.escape(self.title(page))}</a>{contents if page == name else ""}{inside}</li>'

        text = ""
        for chapter, pages in CHAPTERS.items():
            text += f"<h4>{chapter}</h4><ul>"
            for page in pages:
                is_open = page in PARTS and page in (name, self.parents.get(name))
                text += entry(page, "<ul>" + "".join(entry(part) for part in self.parts(page)) + "</ul>" if is_open else "")
            text += "</ul>"
        return f'<aside><details open id="menu"><summary>Contents</summary>{text}</details></aside>'

    def source(self, name):
        """The copy of the page's Markdown, or of the header that it describes."""
        files = [path for path in (self.repository / "docs").rglob("*.md") if path.stem == name]
        header = re.search(r"Header <code>([\w/.]+)</code>", self.main(name))
        if not files and header:
            files = [self.repository / "include" / header.group(1)]
        if not files:
            return ""
        shown = files[0].resolve().relative_to(self.repository.resolve())
        copy = self.folder / "files" / f"{shown}.txt"
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(files[0].read_text())
        return f'<a href="files/{shown}.txt">Source: {shown}</a>'

    def foot(self, name):
        if name not in self.order:
            return ""
        at = self.order.index(name)
        before = f'<a rel="prev" href="{self.order[at - 1]}.html">← {html.escape(self.title(self.order[at - 1]))}</a>' if at > 0 else "<span></span>"
        after = f'<a rel="next" href="{self.order[at + 1]}.html">{html.escape(self.title(self.order[at + 1]))} →</a>' if at + 1 < len(self.order) else "<span></span>"
        return f'<nav class="foot">{before}{self.source(name)}{after}</nav>'

    def index(self):
        """[title, address, kind, text] of each page of the guide, and of each name of the reference."""
        entries = []
        for name in self.order:
            kind = "reference" if name in self.parents else "guide"
            entries.append([self.title(name), f"{name}.html", kind, text_of(self.main(name))])
        for name, page in self.pages.items():
            if re.match(r"(struct|class)", name) and not name.endswith("-members"):
                brief = re.search(r'<div class="contents">.*?<p>(.*?)</p>', page, re.S)
                title = re.sub(r"( Struct| Class)( Template)?( Reference)?$", "", self.title(name)).split("<")[0]
                entries.append([title.replace("linea::", ""), f"{name}.html", "name", text_of(brief.group(1)) if brief else ""])
            if name.startswith("group__"):
                for anchor, function in re.findall(r'<a id="(\w+)" name="\w+"></a>\s*<h2 class="memtitle">.*?</span>(.*?)</h2>', page, re.S):
                    entries.append([text_of(function), f"{name}.html#{anchor}", "name", ""])
        return entries

    def finish(self):
        (self.folder / "search-index.js").write_text("window.linea_index = " + json.dumps(self.index(), ensure_ascii=False) + ";\n")
        for name, page in self.pages.items():
            sidebar, foot = self.sidebar(name), self.foot(name)
            page = page.replace("<main>", f'<div class="columns">{sidebar}<main>', 1).replace("</main>", foot + "</main></div>", 1)
            if 'class="formula' in page:
                page = page.replace("</head>", MATHJAX + "</head>", 1)
            (self.folder / f"{name}.html").write_text(page)


if __name__ == "__main__":
    Finished(*sys.argv[1:3]).finish()
