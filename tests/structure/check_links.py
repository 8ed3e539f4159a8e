#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_links.py <repository>: no link of a Markdown page is dead. Files and headings are looked up, addresses are not.
check_links.py --site <folder>: the same of the pages in HTML that scripts/docs makes, and no mark of Markdown stands in them.
check_links.py --self-test: dead links are noticed."""
import pathlib
import re
import sys
import tempfile


def slug(heading):
    """The name of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def without_code(text):
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)


def headings(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def dead_links(repository):
    dead = []
    pages = [p for folder in ("", "docs", "docs/internals", "benchmarks", "examples/data", "packaging") for p in (repository / folder).glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, heading = target.partition("#")
            file = page.parent / path if path else page
            if not file.exists():
                dead.append(f"{page.relative_to(repository)}: {target}: no such file")
            elif heading and heading not in headings(file):
                dead.append(f"{page.relative_to(repository)}: {target}: no such heading")
    return dead, len(pages)


def dead_links_of_site(folder):
    texts = {page.name: page.read_text() for page in folder.glob("*.html")}
    names = {page: set(re.findall(r'(?:id|name)="([^"]+)"', text)) for page, text in texts.items()}
    dead = set()
    for page, text in texts.items():
        for target in re.findall(r'(?:href|src)="([^"]+)"', text):
            path, _, name = target.partition("#")
            if re.match(r"a[0-9a-f]{32}$|nested-classes$", name):
                name = ""  # made by Doxygen, which links to friends and private members that it does not show
            if re.match(r"[a-z]+:", target) or not path and not name:
                continue
            if path and not (folder / path).exists() or name and name not in names.get(path or page, ()):
                dead.add(f"{page}: {target}")
        words = re.sub(r"<script.*?</script>|<pre.*?</pre>|<div class=\"fragment\">.*?</div><!-- fragment -->|<[^>]+>", "", text, flags=re.S)
        for mark in re.findall(r".{0,20}(?:`|@ref ).{0,20}", words):
            dead.add(f"{page}: Doxygen did not understand: {mark}")
    return sorted(dead), len(texts)


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "docs" / "b.md").write_text("# B\n\n## A `heading`, here\n")
        (root / "a.md").write_text("[1](docs/b.md) [2](docs/b.md#a-heading-here) `[no](link)` [3](docs/c.md) [4](docs/b.md#gone)")
        found = dead_links(root)[0]
        (root / "a.html").write_text('<a href="b.html#there"></a><a href="b.html#gone"></a><img src="c.svg">')
        (root / "b.html").write_text('<p id="there"></p>')
        (root / "c.html").write_text("<p>takes `.this</p>")
        found_here = ["a.html: b.html#gone", "a.html: c.svg", "c.html: Doxygen did not understand: takes `.this"]
        assert dead_links_of_site(root) == (found_here, 3)
        assert [line.split(": ")[1] for line in found] == ["docs/c.md", "docs/b.md#gone"], found


if sys.argv[1] == "--self-test":
    self_test()
else:
    of_site = sys.argv[1] == "--site"
    dead, pages = (dead_links_of_site if of_site else dead_links)(pathlib.Path(sys.argv[-1]).resolve())
    print("\n".join(dead) or f"no dead link in {pages} pages")
    sys.exit(bool(dead) or pages == 0)
