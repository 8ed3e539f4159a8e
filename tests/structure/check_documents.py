#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_documents.py <repository>: Markdown pages are consistent.
  Links: none is dead. Files and headings are looked up, addresses are not.
  Listings: those in C++ are in examples/ or tests/extend, except for white space, and those of text are below "// Output:"
    in examples/, which check_output.cmake compares with the output.
  Lectures: each header and test that docs/internals/lectures.md names exists, and it names all tests of tests/lectures.
  Version: all mentions agree with include/linea/version.hpp, and the address of the repository with CMakeLists.txt.
  Options: the table in docs/optimizers.md equals what docs/site/options.py reads from the headers.
check_documents.py --site <folder>: no link is dead in the HTML pages of scripts/docs, and they have no marks of Markdown.
check_documents.py --self-test: detects planted errors."""
import pathlib
import re
import subprocess
import sys
import tempfile


def slug(heading):
    """Returns the anchor that GitHub generates for a heading."""
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
                name = ""  # Doxygen links to friends and private members, which are not in its pages
            if re.match(r"[a-z]+:", target) or not path and not name:
                continue
            if path and not (folder / path).exists() or name and name not in names.get(path or page, ()):
                dead.add(f"{page}: {target}")
        words = re.sub(r"<script.*?</script>|<pre.*?</pre>|<div class=\"fragment\">.*?</div><!-- fragment -->|<[^>]+>", "", text, flags=re.S)
        for mark in re.findall(r".{0,20}(?:`|@ref ).{0,20}", words):
            dead.add(f"{page}: Doxygen did not understand: {mark}")
    return sorted(dead), len(texts)


def plain(text):
    return re.sub(r"[ \n]+", " ", text).strip()


def problems_of_listings(repository):
    sources = [source for folder in ("examples", "tests/extend") for source in sorted((repository / folder).rglob("*.cpp"))]
    printed = plain(" ".join(source.read_text().replace("\n//   ", "\n").replace("\n//\n", "\n") for source in sources))
    problems = []
    for page in [repository / "README.md", *sorted((repository / "docs").rglob("*.md"))]:
        text, name = page.read_text(), page.relative_to(repository)
        if "```cpp" not in text:
            continue
        for number, listing in enumerate(re.findall(r"```(?:cpp|text)\n(.*?)```", text, re.S), 1):
            if plain(listing) not in printed:
                problems.append(f"{name}: listing {number} is in no source:\n{listing}")
        problems += [f"{name}: no header {header}" for header in re.findall(r"include/linea/[a-z_/]+\.hpp", text)
                     if not (repository / header).exists()]
    return problems


def problems_of_lectures(repository):
    names = []
    for source in (repository / "tests" / "lectures").glob("*_test.cpp"):
        text = re.sub(r'"\s+"', "", source.read_text())  # a name that continues on the next line
        names += re.findall(r'TEST_CASE\(\s*"([^"]*)"', text)
    page = (repository / "docs" / "internals" / "lectures.md").read_text()
    rows = re.findall(r"^\|[^|]*\|.*\|([^|]*\.hpp[^|]*)\|([^|]*)\|$", page, re.M)
    problems = [] if rows else ["docs/internals/lectures.md has no rows"]
    cited = set()
    for headers, test in rows:
        for header in re.findall(r"[a-z_0-9/]+\.hpp", headers):
            if not (repository / "include" / "linea" / header).exists():
                problems.append(f"docs/internals/lectures.md: there is no header {header}")
        found = {name for name in names if name.startswith("Lectures: " + test.strip())}
        if not found:
            problems.append(f'docs/internals/lectures.md: no test is called "Lectures: {test.strip()}…"')
        cited |= found
    return problems + [f'docs/internals/lectures.md does not name the test "{name}"' for name in names if name not in cited]


def problems_of_version(repository):
    header = (repository / "include" / "linea" / "version.hpp").read_text()
    major, minor, patch = (re.search(rf"LINEA_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
    version = f"{major}.{minor}.{patch}"
    wanted = {"README.md": f"find_package(linea {major}.{minor} REQUIRED)", "CHANGELOG.md": f"## {version} ",
              "CITATION.cff": f"version: {version}", "packaging/vcpkg/linea/vcpkg.json": f'"version": "{version}"'}
    wanted |= {f"docs/man/linea_{program}.1": f"linea {version}" for program in ("train", "train_mpi", "predict", "convert")}
    problems = [f'{file} has no "{text}"' for file, text in wanted.items() if text not in (repository / file).read_text()]
    homepage = re.search(r'HOMEPAGE_URL "(.*)"', (repository / "CMakeLists.txt").read_text())[1]
    files = ["CITATION.cff", "packaging/vcpkg/linea/vcpkg.json", "packaging/conan/conanfile.py"]
    return problems + [f"{file} does not have the address {homepage}" for file in files
                       if f'"{homepage}"' not in (repository / file).read_text()]


def problems_of_options(repository):
    check = subprocess.run([sys.executable, repository / "docs" / "site" / "options.py", "--check", repository], capture_output=True, text=True)
    return check.stderr.splitlines()


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def write(name, text):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

        write("docs/b.md", "# B\n\n## A `heading`, here\n")
        write("a.md", "[1](docs/b.md) [2](docs/b.md#a-heading-here) `[no](link)` [3](docs/c.md) [4](docs/b.md#gone)")
        dead = [line.split(": ")[1] for line in dead_links(root)[0]]
        assert dead == ["docs/c.md", "docs/b.md#gone"], dead
        write("a.html", '<a href="b.html#there"></a><a href="b.html#gone"></a><img src="c.svg">')
        write("b.html", '<p id="there"></p>')
        write("c.html", "<p>takes `.this</p>")
        found_here = ["a.html: b.html#gone", "a.html: c.svg", "c.html: Doxygen did not understand: takes `.this"]
        assert dead_links_of_site(root) == (found_here, 3)

        write("include/linea/losses/hinge.hpp", "")
        write("tests/extend/a_test.cpp", "void test() {\n  int a[] = {1};\n  f(a);\n}\n")
        write("examples/b.cpp", "g(2);\n// Output:\n//   one\n//\n//   two\n")
        good = "```cpp\nint a[] = {1};\nf(a);\n```\ninclude/linea/losses/hinge.hpp\n"
        write("README.md", "```cpp\ng(2);\n```\n```text\none\n\ntwo\n```\n")

        def listings(extend):
            write("docs/extend.md", extend)
            return [problem.split("\n")[0] for problem in problems_of_listings(root)]

        assert listings(good) == []
        assert listings(good + "```cpp\nint a[] = {2};\n```\n") == ["docs/extend.md: listing 2 is in no source:"]
        assert listings(good + "include/linea/lost.hpp") == ["docs/extend.md: no header include/linea/lost.hpp"]
        write("README.md", "```cpp\ng(2);\n```\n```text\nthree\n```\n")
        assert listings(good) == ["README.md: listing 2 is in no source:"]

        def lectures(row, more=""):
            write("tests/lectures/a_test.cpp", 'TEST_CASE(\n    "Lectures: the hinge "\n     "pulls at 1",\n "[x]") {}\n' + more)
            write("docs/internals/lectures.md", "| there | what | header | test |\n|---|---|---|---|\n" + row)
            return problems_of_lectures(root)

        row = "| (1); | \\[a\\] |\\| `losses/hinge.hpp` | the hinge pulls |\n"
        assert lectures(row) == [], lectures(row)
        assert lectures(row.replace("hinge.hpp", "hing.hpp")) == ["docs/internals/lectures.md: there is no header losses/hing.hpp"]
        assert "no test is called" in lectures(row.replace("pulls", "pushes"))[0]
        assert "does not name the test" in lectures(row, 'TEST_CASE("Lectures: more") {}')[0]
        assert "has no rows" in lectures("")[0]


if sys.argv[1] == "--self-test":
    self_test()
    sys.exit()
root = pathlib.Path(sys.argv[-1]).resolve()
if sys.argv[1] == "--site":
    problems, pages = dead_links_of_site(root)
else:
    problems, pages = dead_links(root)
    problems += problems_of_listings(root) + problems_of_lectures(root) + problems_of_version(root) + problems_of_options(root)
print("\n".join(problems) or f"nothing is wrong in {pages} pages")
sys.exit(bool(problems) or pages == 0)
