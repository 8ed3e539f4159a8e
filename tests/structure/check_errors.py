#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_errors.py <repository>: docs/errors.md names every message with which something is refused, and a test that shows it.
check_errors.py --rows <repository>: the messages that the page lacks, as rows without a test.
check_errors.py --self-test: what the page lacks, and what it has too much, is noticed.

A row of the page is | `message` | `folder/file_test.cpp`: name of the test |, or "none: why" in place of the test. "…" stands
for what differs from time to time. Every message of the page stands in a header or a program, every message of these
on the page, the test exists, and its file has a part of the message."""
import pathlib
import re
import sys
import tempfile

CALLS = r"\b(require|refuse|refuse_at|refuse_word|refuse_record|refuse_rest|fail|fail_kind)(?:<[^<>]*>)?\("
LEFT_OUT = {"require": 1, "refuse_at": 2, "refuse_word": 1}  # arguments that are no part of the message
STRING = r'"(?:[^"\\]|\\.)*"'
CHARACTER = r"'(?:\\.[^']*|[^'\\])'"


def without_comments(text):
    return re.sub(rf"({STRING}|{CHARACTER})|//[^\n]*", lambda m: m.group(1) or "", text)


def plain(literal):
    return literal.replace('\\"', '"').replace("\\'", "'").replace("\\n", "")


def strings(text):
    """All texts of a source; those that follow one another are one."""
    return [plain("".join(s[1:-1] for s in re.findall(STRING, run))) for run in re.findall(rf"{STRING}(?:\s*{STRING})*", text)]


def parts(text, separator):
    """Splits where the separator stands outside brackets, strings and characters."""
    found, depth, current = [], 0, ""
    for token in re.findall(rf"{STRING}|{CHARACTER}|.", text, re.S):
        depth += (token in "([{") - (token in ")]}")
        if token == separator and depth == 0:
            found.append(current.strip())
            current = ""
        else:
            current += token
    return found + [current.strip()]


def message(arguments):
    """What they make when they are written one after the other."""
    text = ""
    for argument in (part for whole in arguments for part in parts(whole, "+")):
        is_text = re.fullmatch(rf"(?:std::string\()?((?:{STRING}\s*)+)\)?|({CHARACTER})", argument)
        if not is_text:
            text += "…"
        elif is_text.group(2):
            text += plain(is_text.group(2)[1:-1])
        else:
            text += strings(is_text.group(1))[0]
    return re.sub("…+", "…", text)


def messages(text):
    text = without_comments(text)
    for call in re.finditer(CALLS, text):
        depth, at = 1, call.end()
        for token in re.finditer(rf"{STRING}|{CHARACTER}|[()]", text[call.end():]):
            depth += (token.group() == "(") - (token.group() == ")")
            if depth == 0:
                at = call.end() + token.start()
                break
        arguments = parts(re.sub(r"\s+", " ", text[call.end():at]), ",")[LEFT_OUT.get(call.group(1), 0):]
        said = re.sub("^…: ", "", message(arguments))
        if re.search("[a-z]{3}", said):
            yield said


def core(said):
    """Without the name of the function or file in front, which differs."""
    return re.sub("^[…: ]+", "", said).strip()


def fragments(said):
    return [f.strip() for f in said.split("…") if re.search("[A-Za-z]", f)]


def is_quoted(said, texts, least=7):
    """Do some of the texts and the message have so many characters in common, at an end of one of them?"""
    all_fragments = fragments(said)
    longest = max(map(len, all_fragments))
    for fragment in all_fragments:
        need = min(least, longest)
        if len(fragment) < need:
            continue
        for text in texts:
            if fragment in text or len(text) >= need and text in fragment:
                return True
            if any(text[-n:] == fragment[:n] or text[:n] == fragment[-n:] for n in range(need, min(len(text), len(fragment)))):
                return True
    return False


def said_by(repository):
    folders = [repository / "include" / "linea", repository / "examples" / "programs"]
    found, cores = {}, set()
    for source in sorted(p for folder in folders for p in folder.rglob("*.[hc]pp")):
        if "check" not in source.relative_to(repository).parts:
            for said in messages(source.read_text()):
                if core(said) not in cores:
                    found[said] = source.relative_to(repository)
                cores.add(core(said))
    return found


def problems(repository):
    page = (repository / "docs" / "errors.md").read_text()
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", page, re.M)
    known = said_by(repository)
    found = [] if rows else ["the page has no rows"]
    written = {core(said) for said, _ in rows}
    found += [f"no row for: {said} ({source})" for said, source in known.items() if core(said) not in written]
    found += [f"nobody says: {said}" for said in sorted(written - set(map(core, known)))]
    for said, shown in rows:
        place = re.fullmatch(r"`([^`]+_test\.cpp)`: (.*)", shown)
        if not place:
            if not re.fullmatch(r"none: .{8,}", shown):
                found.append(f"neither a test nor a reason: {said}")
            continue
        file = repository / "tests" / place.group(1)
        text = without_comments(file.read_text()) if file.exists() else ""
        texts = strings(text)
        names = [strings(name)[0] for name in re.findall(rf"TEST_CASE\w*\(\s*(?:\w+,\s*)?((?:{STRING}\s*)+)", text)]
        if place.group(2) not in names:
            found.append(f"no test {place.group(1)}: {place.group(2)}")
        elif not is_quoted(core(said), texts):
            found.append(f"{place.group(1)} has no part of: {said}")
    return found, len(rows)


def self_test():
    def of(page):
        (root / "docs" / "errors.md").write_text(page)
        return problems(root)[0]

    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("docs", "include/linea/core", "examples/programs", "tests/core"):
            (root / name).mkdir(parents=True)
        (root / "include/linea/core/a.hpp").write_text(
            'require(f(a, ",") > 0, function, ": x has ", n, " rows, "\n "but y has ", m);  // refuse("not this")\n'
            'source.refuse_at(at, end, what, " is " + std::string("missing") + tail);\nthrow 1;\n')
        (root / "tests/core/a_test.cpp").write_text('TEST_CASE("A: refuses "\n "all", "[core]") { says("has 3 rows, but y"); says("is missing"); }')
        first, second = "| `…: x has … rows, but y has …` | %s |\n", "| `… is missing…` | %s |\n"
        test = "`core/a_test.cpp`: A: refuses all"
        whole = first % test + second % "none: nobody could show it"
        assert of(whole) == [], of(whole)
        assert of(first % test) == ["no row for: … is missing… (include/linea/core/a.hpp)"], of(first % test)
        assert of(whole + "| `is lost` | %s |\n" % test)[0] == "nobody says: is lost"
        assert of(first % "`core/a_test.cpp`: A: refuses" + second % test) == ["no test core/a_test.cpp: A: refuses"]
        assert of(first % "`core/b_test.cpp`: A" + second % test) == ["no test core/b_test.cpp: A"]
        assert of(first % "no" + second % test) == ["neither a test nor a reason: …: x has … rows, but y has …"]
        assert "the page has no rows" in of("")
        (root / "tests/core/a_test.cpp").write_text('TEST_CASE("A: refuses all", "[core]") { says("x has"); says("is mis"); }')
        assert of(whole) == ["core/a_test.cpp has no part of: …: x has … rows, but y has …"], of(whole)


if sys.argv[1] == "--self-test":
    self_test()
elif sys.argv[1] == "--rows":
    root = pathlib.Path(sys.argv[2])
    page = (root / "docs" / "errors.md").read_text()
    for said, source in said_by(root).items():
        if f"`{said}` |" not in page:
            print(f"| `{said}` |  |  <!-- {source} -->")
else:
    found, rows = problems(pathlib.Path(sys.argv[1]))
    print("\n".join(found) or f"{rows} messages are on the page, with a test or a reason")
    sys.exit(bool(found))
