#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts together what Doxygen reads: pages.py <repository> <output folder> <losses.json>

- Every page of docs/ becomes one of the site; its links to other pages, to headings and to headers become links of the site.
- Every header of a public module is copied. There `/// \\file A sentence.` becomes what Doxygen means by it, and what the
  header declares joins the group of its module (docs/site/groups.dox).
- Every optimizer and every loss gets a page made of its section in docs/optimizers.md or docs/losses.md, its docstring,
  its options and, for a loss, its picture and the optimizers that take it (losses.json, printed by examples/guide/loss_pages.cpp).
- Every model gets a page made of its row in docs/choosing_a_model.md, the formulas of its loss and penalty, its docstring,
  its options, and a statement of an example.
"""
import json
import pathlib
import re
import shutil
import sys

ROOMS = "activations check data features io losses metrics models optimizers orders penalties rows step_sizes".split()
# Headers of core/ that say what a concept asks for: their group, which says what the file says.
CONCEPTS = {
    "activation": "activations", "loss": "losses", "penalty": "penalties",
    "parameters": "losses", "order": "orders", "step_size": "step_sizes", "rows": "rows",
    "objective": "fitting", "extras": "fitting", "observer": "fitting", "solution": "fitting",
    "types": "basics", "numbers": "basics", "random": "basics"}
PENALTIES = {"`L2`": r"\frac{\lambda}{2} \|w\|_2^2", "`L1`": r"\lambda \|w\|_1",
             "`ElasticNet`": r"\lambda \left(r \|w\|_1 + \frac{1 - r}{2} \|w\|_2^2\right)"}  # the penalties of models, in TeX
SOFTMAX = r"\ell(p, y) = -\ln \frac{e^{p_y}}{\sum_k e^{p_k}}, \qquad p_k = \langle w_k, x \rangle + b_k"
FITTED = {"Hinge": "Classifier", "SquaredHinge": "Classifier", "Log": "ProbabilisticClassifier", "softmax": "SoftmaxClassifier",
          "Composed": "ActivatedModel"}  # what `fit` returns, by the loss; else a Regressor
COMMON = {"lambda": "strength of the penalty", "offset": "fit an offset (intercept)", "seed": "of random numbers",
          "threads": "the number of threads", "epochs": "at most so many passes over the samples"}  # options without a comment
CODE = re.compile(r"(```.*?```|``.+?``|`[^`\n]+`)", re.S)


def slug(text):
    """The name of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.replace("`", "").lower()).strip().replace(" ", "-")


def label(page, heading):
    return page + "_" + re.sub(r"\W", "_", slug(heading))


class Site:
    def __init__(self, repository, output, losses):
        self.repository, self.output = pathlib.Path(repository).resolve(), pathlib.Path(output)
        self.losses = json.loads(pathlib.Path(losses).read_text())
        self.files = {p.stem: p for p in sorted((self.repository / "docs").glob("**/*.md"))}
        self.pages = {name: path.read_text() for name, path in self.files.items()}
        self.menu = {}  # what a name in code links to: its page
        rows = re.findall(r"^\| `(\w+)(?:\{[^`]*\})?` \| (.*?) \| (.*?) \| (.*?) \|$", self.pages["choosing_a_model"], re.M)
        self.models = {name: facts for name, *facts in rows}  # name → loss, penalty, remarks
        for kind, names in (("optimizer", self.sections("optimizers")), ("loss", self.sections("losses")), ("model", self.models)):
            self.menu.update({name: f"{kind}_{name}" for name in names})

    def sections(self, page):
        """The sections "## `Name`" of a page: name → text."""
        parts = re.split(r"^## `(\w+)`\n", self.pages.get(page, ""), flags=re.M)
        return dict(zip(parts[1::2], parts[2::2]))

    # Markdown ------------------------------------------------------------------------------------------------------
    def link(self, match):
        text, target = match.groups()
        if re.match(r"[a-z]+:|@ref", target):
            return match.group(0)
        path, _, heading = target.partition("#")
        folder = self.files[self.page].parent if self.page in self.files else self.repository / "docs"
        file = (folder / path).resolve() if path else None
        page = file.stem if file else self.page
        if page in self.pages and (file is None or file == self.files[page]):
            wanted = [label(page, h) for h in re.findall(r"^##+ (.*)$", self.pages[page], re.M) if slug(h) == heading]
            if heading and not wanted:
                raise SystemExit(f"{self.page}.md: no heading #{heading} in {page}.md")
            if "`" in text:  # Doxygen shows the marks of code in the text of @ref
                shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", text).replace("::", "\\::")
                return f'<a href="{page}.html{"#" + wanted[0] if heading else ""}">{shown}</a>'
            return f"[{text}](@ref {wanted[0] if heading else page})"
        if file.is_dir():
            return text  # the site shows no folders
        shown = file.relative_to(self.repository)
        copy = self.output / "html" / "files" / shown
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy.with_name(copy.name + ".txt"))
        return f'<a href="files/{shown}.txt">{text}</a>'

    def image(self, match):
        """![alternative text](path), from a page in docs/: the picture, copied beside the pages."""
        text, path = match.groups()
        file = self.files[self.page].parent / path
        shutil.copy(file, self.output / "html" / file.name)
        return f'<p class="figure"><a href="{file.name}"><img src="{file.name}" alt="{text}"></a></p>'

    def code_span(self, span):
        name = span.strip("`")
        if "\\" in name or "'" in name:  # which Doxygen takes for a command, or for the end of a span
            name = name.replace("\\", "\\\\").replace('"', "&quot;").replace("<", "&lt;").replace("'", "&apos;")
            return f"<code>{name}</code>"
        target = self.menu.get(name)
        return f'<a href="{target}.html"><code>{name}</code></a>' if target and target != self.page else span

    def markdown(self, page, text):
        """The Markdown of GitHub as that of Doxygen."""
        self.page = page
        lines, in_code = [], False
        for line in text.split("\n"):
            in_code ^= line.startswith("```")
            heading = None if in_code else re.match(r"(#+) (.*)$", line)
            if heading:
                title = heading.group(2).replace("`", "")
                name = page if len(heading.group(1)) == 1 else label(page, title)
                line = f"{heading.group(1)} {title}" + (f" {{#{name}}}" if name != "index" else "")
            lines.append(line)
        pieces = CODE.split("\n".join(lines))
        for i, piece in enumerate(pieces):
            others = pieces[i - 1].endswith("scikit-learn ") or page == "coming_from" and pieces[i - 1].endswith("\n| ")
            # Beside a link Doxygen does not see where bold text begins or ends.
            others |= pieces[i - 1].endswith("**") or i + 1 < len(pieces) and pieces[i + 1].startswith("**")
            if i % 2 and not piece.startswith("```") and not others:  # others: a name in another library
                pieces[i] = self.code_span(piece)
        text = "".join(pieces)
        pieces = re.split(r"(```.*?```)", text, flags=re.S)
        for i in range(1, len(pieces), 2):
            pieces[i] = re.sub(r"^```math\n(.*?)```$", r"\\f[\n\1\\f]", pieces[i], flags=re.S)
        for i in range(0, len(pieces), 2):
            pieces[i] = re.sub(r"!\[([^\]]+)\]\(([^)\s]+)\)", self.image, pieces[i])
            pieces[i] = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", self.link, pieces[i])
            pieces[i] = re.sub(r"(?<=\s)#(?=[a-z])", r"\\#", pieces[i])  # else it names a function
        return "".join(pieces)

    def write(self, page, text):
        (self.output / "input" / "pages" / f"{page}.md").write_text(text)

    # Headers -------------------------------------------------------------------------------------------------------
    def header(self, path):
        text = path.read_text()
        room = path.parent.name
        group = CONCEPTS.get(path.stem) if room == "core" else room
        is_concept = room == "core" and (group != "fitting" or path.stem == "objective") and group != "basics"
        text = text.replace("#pragma once", "/// \\addtogroup " + group + "\n///" if is_concept else "/// \\file", 1)
        # In the group of a concept the file's text is no summary: that of the group stands in groups.dox.
        text = re.sub(r"^/// \\file (?=\w)", r"/// \\details " if is_concept else "/// ", text, flags=re.M)
        opened = "namespace linea {\n/// \\addtogroup " + group + "\n/// @{\n"
        text = re.sub(r"^namespace linea {$", lambda _: opened, text, flags=re.M)
        text = re.sub(r"^}  // namespace linea$", "/// @}\n}", text, flags=re.M)
        copy = self.output / "input" / path.relative_to(self.repository)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)

    def headers(self):
        include = self.repository / "include" / "linea"
        for room in ROOMS:
            for path in sorted((include / room).glob("*.hpp")):
                self.header(path)
        for name in CONCEPTS:
            self.header(include / "core" / f"{name}.hpp")
        self.header(include / "optimizers" / "solver" / "basic_auto.hpp")  # Auto

    # A page an optimizer, a page a loss ----------------------------------------------------------------------------
    def struct(self, room, name):
        """The header that defines it, the struct's docstring, its name, the text of its body, its template's parameters."""
        for path in sorted((self.repository / "include" / "linea" / room).rglob("*.hpp")):
            lines = path.read_text().split("\n")
            for start, line in enumerate(lines):
                found = re.match(rf"struct ((?:Basic)?{name})\b.*{{", line)
                alias = re.match(rf"using {name} = (\w+)<(\w+)", line)
                if alias:
                    _, _, _, body, parameters = self.struct(room, alias.group(1))
                    return path, self.comment_above(lines, start, ""), name, body, dict(parameters, L=("Loss", alias.group(2)))
                if found:
                    body = "\n".join(lines[start + 1:lines.index("};", start)])
                    head = re.findall(r"([A-Z]\w+) (\w+)(?: = (\w+))?[,>]", lines[start - 1])  # template <Order O = Cyclic>
                    parameters = {letter: (concept, default or letter) for concept, letter, default in head}
                    return path, self.comment_above(lines, start, ""), found.group(1), body, parameters
        raise SystemExit(f"no struct {name} in include/linea/{room}")

    @staticmethod
    def comment_above(lines, at, indent):
        """The /// comment before line `at`, a template head between them aside."""
        mark, comment = indent + "///", []
        while at > 0 and not lines[at - 1].startswith(mark) and lines[at - 1].strip() and len(comment) == 0:
            at -= 1
        while at > 0 and lines[at - 1].startswith(mark):
            at -= 1
            comment.insert(0, lines[at][len(mark):].removeprefix(" "))
        return "\n".join(comment)

    @staticmethod
    def options(body, parameters):
        """A table of the data members with their defaults. Of a template's parameter: its default and its concept."""
        rows, doc = [], []
        body = body.split("private:")[0]
        body = re.sub(r"\{\n\s+", "{", body)
        body = re.sub(r"\n +///< ", " ", body)
        for line in body.split("\n"):
            member = re.match(r"  (?:\[\[.*?\]\] )?([A-Za-z_:<>0-9]+) (\w+)\{(.*)\};\s*(?:///< ?(.*))?$", line)
            if line.startswith("  ///"):
                doc.append(line[5:].strip())
            elif member:
                kind, name, default, after = member.groups()
                concept, standard = parameters.get(kind, (kind, kind))
                what = (" ".join(doc) if doc else after or COMMON.get(name, "")).replace("|", "\\|")
                rows.append(f"| `{name}` | `{default or standard + '{}'}` | {what} | `{concept}` |")
                doc = []
            else:
                doc = []
        return "| option | default | meaning | type |\n|---|---|---|---|\n" + "\n".join(rows) + "\n" if rows else ""

    def call(self, body):
        """What is said of minimize or fit."""
        lines = body.split("\n")
        at = next((i for i, line in enumerate(lines) if re.search(r"\b(minimize|fit)\(", line) and "///" not in line), None)
        text = self.comment_above(lines, at, "  ") if at is not None else ""
        other = re.match(r"As (\w+)\.$", text)
        return self.call(self.struct("models", other.group(1))[3]) if other else text

    def made_page(self, kind, room, name, section):
        page = f"{kind}_{name}"
        path, docstring, struct, body, parameters = self.struct(room, name)
        header = path.relative_to(self.repository / "include")
        text = f"# {name} {{#{page}}}\n\n" + self.markdown(page, section) + "\n\n"
        if kind == "loss":
            text += f'<p class="figure"><a href="loss_{name}.svg"><img src="loss_{name}.svg" alt="The loss and its derivative as functions of the score"></a></p>\n\n*The loss and its derivative, as functions of the score.*\n\n'
        text += f"## Details {{#{page}_in_full}}\n\n" + self.markdown(page, docstring) + "\n"
        options = self.options(body, parameters)
        if options:
            text += f"## {'Parameters' if kind == 'loss' else 'Options'} {{#{page}_options}}\n\n<div class=\"options\">\n\n{options}\n</div>\n\n"
        if kind == "optimizer" and self.call(body):
            text += f"## Arguments and result {{#{page}_call}}\n\n" + self.markdown(page, self.call(body)) + "\n"
        if kind == "loss":
            takers = ", ".join(f"[{o}](@ref optimizer_{o})" for o in self.losses[name]["optimizers"])
            facts = ", ".join(self.losses[name]["facts"]) or "a value, and no derivative"
            text += f"## Optimizers for this loss {{#{page}_takers}}\n\nWith a suitable penalty: {takers or 'none, it is for evaluation only'}.\n\n"
            text += f"Its properties and members: {facts}.\n"
        else:
            takes = [loss for loss, facts in self.losses.items() if name in facts["optimizers"]]
            if takes:
                text += f"## Losses {{#{page}_losses}}\n\n" + ", ".join(f"[{n}](@ref loss_{n})" for n in takes)
                text += ", and your own with the same members.\n"
        text += f"\nHeader `{header}`; reference linea::{struct}.\n"
        self.write(page, text)

    def example(self, name):
        """A statement of an example that fits the model."""
        for source in [self.repository / "examples" / "models.cpp", *sorted((self.repository / "examples").rglob("*.cpp"))]:
            lines = source.read_text().split("\n")
            for start, line in enumerate(lines):
                if re.match(rf"  const auto .*\b{name}\{{", line if line.endswith(";") else " ".join(lines[start:start + 2])):
                    end = next(i for i in range(start, len(lines)) if lines[i].endswith(";"))
                    shown = "\n".join(line[2:] for line in lines[start:end + 1])
                    return f"```cpp\n{shown}\n```\n\nFrom `{source.relative_to(self.repository)}`.\n"
        raise SystemExit(f"no example fits {name}")

    def model_page(self, name):
        page = f"model_{name}"
        loss, penalty, remarks = self.models[name]
        path, docstring, struct, body, parameters = self.struct("models", name)
        text = f"# {name} {{#{page}}}\n\n" + self.markdown(page, remarks) + "\n\n"
        word = loss.strip("`")
        tex = SOFTMAX if word == "softmax" else re.search(r"```math\n(.*?)\n```", self.sections("losses").get(word, "```math\n\n```")).group(1)
        if word == "Composed":
            tex = r"\ell(p, y) = \mathrm{loss}(g(p), y)"
        if tex:
            scores = "p_{i1}, \\dots, p_{ik}" if word == "softmax" else "\\langle w, x_i \\rangle + b"
            omega = " + " + PENALTIES[penalty] if penalty in PENALTIES else ""
            text += f"The fit minimises\n\n\\f[\nF(w, b) = \\frac1S \\sum_i s_i\\, \\ell({scores},\\; y_i){omega}\n\\f]\n\n"
            text += f"with sample weights \\f$s_i\\f$ of sum \\f$S\\f$ and the loss\n\n\\f[\n{tex}\n\\f]\n\n"
        text += self.example(name) + "\n"
        text += f"## Details {{#{page}_in_full}}\n\n" + self.markdown(page, docstring) + "\n"
        options = self.options(body, parameters)
        if options:
            text += f"## Options {{#{page}_options}}\n\n<div class=\"options\">\n\n{options}\n</div>\n\n"
        text += f"## The fit {{#{page}_fit}}\n\n" + self.markdown(page, self.call(body)) + "\n\n"
        fitted = {"OneVsRest": "OneVsRestClassifier", "PerceptronClassifier": "Classifier"}.get(name, FITTED.get(word, "Regressor"))
        text += f"It returns a linea::{fitted}: weights, offset, objective, status and gap, with functions that predict.\n\n"
        see = [f"[{word}](@ref loss_{word})"] if word in self.sections("losses") else []
        see += ["[Choosing a model](@ref choosing_a_model)", "[Choosing λ](@ref choosing_lambda)", "linea::Standardised", "linea::CrossValidation"]
        text += f"## See also {{#{page}_see_also}}\n\n" + ", ".join(see) + ".\n"
        text += f"\nHeader `{path.relative_to(self.repository / 'include')}`; reference linea::{struct}.\n"
        self.write(page, text)

    def models_page(self):
        text = "# Models {#models}\n\nA *recipe* is a loss, a penalty and an optimizer, with their options. Its `fit` returns a model. "
        text += "[Choosing a model](@ref choosing_a_model) has a flow chart.\n\n| recipe | loss | penalty | remarks |\n|---|---|---|---|\n"
        for name, (loss, penalty, remarks) in self.models.items():
            self.model_page(name)
            text += self.markdown("models", f"| `{name}` | {loss} | {penalty} | {remarks} |") + "\n"
        self.write("models", text)

    def make(self):
        (self.output / "input" / "pages").mkdir(parents=True, exist_ok=True)
        (self.output / "html").mkdir(parents=True, exist_ok=True)
        self.layout()
        self.headers()
        for page, text in self.pages.items():
            if page in ("optimizers", "losses"):
                for name, section in self.sections(page).items():
                    self.made_page("optimizer" if page == "optimizers" else "loss", page, name, section)
                text = re.split(r"^## `", text, flags=re.M)[0]
            self.write(page, self.markdown(page, text))
        shutil.copy(self.repository / "docs" / "site" / "groups.dox", self.output / "input" / "groups.dox")
        self.models_page()
        self.gallery()

    def layout(self):
        """What is said in full comes before the lists of members: Doxygen's own layout has it after them."""
        path = self.output / "layout.xml"
        text = path.read_text().replace('<briefdescription visible="yes"/>', '<briefdescription visible="no"/>')
        text = re.sub(r'( *<memberdecl>.*?</memberdecl>\n)( *<detaileddescription title=""/>\n)', r"\2\1", text, flags=re.S)
        path.write_text(text)

    def gallery(self):
        """The pictures that the programs of the lectures drew, a section a program, in the order of their names."""
        titles = {"svm": "Support vector machines and Pegasos", "risk": "Empirical risk and descent",
                  "least_squares": "Least squares", "ridge": "Ridge regression", "logistic": "Linear and logistic learners",
                  "parametric": "Parametric models"}
        text = "# Gallery {#gallery}\n\nThe figures of [the lectures, line by line](@ref lectures), drawn by the programs"
        text += " `examples/lectures/lectures_*.cpp` when this site was made.\n\n"
        for prefix, title in titles.items():
            text += f"## {title} {{#gallery_{prefix}}}\n\n<div class=\"gallery\">\n"
            for figure in sorted((self.output / "figures").glob(f"{prefix}_*.svg")):
                caption = figure.stem.removeprefix(prefix + "_").replace("_", " ")
                text += f'<a href="{figure.name}"><img src="{figure.name}" alt="{title}: {caption}" loading="lazy"></a>\n'
            text += "</div>\n\n"
        self.write("gallery", text)


if __name__ == "__main__":
    Site(*sys.argv[1:4]).make()
