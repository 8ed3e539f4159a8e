#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_errors.py <repository>: a test quotes each error message of linea.
check_errors.py --self-test: detects a message that no test quotes.

The messages come from the calls of require, refuse and similar functions in include/linea and examples/programs. "…" stands for
the variable parts. A test quotes a message if one of its strings has a part of the fixed text: 12 characters in
a row, or all of a shorter text. EXCEPTIONS holds the messages that tests cannot reach, with the reason."""
import pathlib
import re
import sys
import tempfile

EXCEPTIONS = {
    "a line is longer than … bytes": "needs a line of 256 MB",
    "more than 2^31 - 1 entries": "needs a table of 16 GB",
    "reading: cannot read '…': …": "needs a disk that fails",
    "write_binary: cannot read '…' again": "needs a disk that fails",
    "zlib cannot be initialised": "needs a zlib that fails",
    "MpiCommunicator: MPI is not initialised: make an MpiSession first": "all test programs of MPI initialise it",
}

CALLS = r"\b(require|refuse|refuse_at|refuse_word|refuse_record|refuse_rest|fail|fail_kind)(?:<[^<>]*>)?\("
LEFT_OUT = {"require": 1, "refuse_at": 1, "refuse_word": 1}  # arguments that are not part of the message
STRING = r'"(?:[^"\\]|\\.)*"'
CHARACTER = r"'(?:\\.[^']*|[^'\\])'"


def without_comments(text):
    return re.sub(rf"({STRING}|{CHARACTER})|//[^\n]*", lambda m: m.group(1) or "", text)


def plain(literals):
    """The text of adjacent literals."""
    text = "".join(literal[1:-1] for literal in re.findall(rf"{STRING}|{CHARACTER}", literals))
    return text.replace('\\"', '"').replace("\\'", "'").replace("\\n", "")


def messages(text):
    """The message of each call: its literals outside of brackets, and "…" for everything between them and for conditional expressions."""
    text = re.sub(rf"std::string\(((?:{STRING}\s*)+)\)", r"\1", without_comments(text))
    for call in re.finditer(CALLS, text):
        depth, arguments = 0, [""]
        for match in re.finditer(rf"{STRING}|{CHARACTER}|[^\s+]", text[call.end():]):
            token = match.group()
            depth += (token in "([{") - (token in ")]}")
            if depth < 0:
                break
            if depth == 0 and token == ",":
                arguments.append("")
            else:
                arguments[-1] += plain(token) if depth == 0 and len(token) > 1 else "?" if token == "?" else "…"
        told = ["…" if "?" in argument else argument for argument in arguments[LEFT_OUT.get(call.group(1), 0):]]
        said = re.sub("…+", "…", "".join(told))
        said = re.sub("^[…: ]+", "", said).strip()  # without the name of the function or file in front
        if re.search("[a-z]{3}", said):
            yield said


def is_quoted(said, texts, least=12):
    """Returns whether a text and a fragment of the message share `least` characters, at an end of one of them."""
    fragments = [f.strip() for f in said.split("…") if re.search("[A-Za-z]", f)]
    need = min(least, max(map(len, fragments)))
    for fragment in (f for f in fragments if len(f) >= need):
        for text in texts:
            if fragment in text or len(text) >= need and text in fragment:
                return True
            if any(text[-n:] == fragment[:n] or text[:n] == fragment[-n:] for n in range(need, min(len(text), len(fragment)))):
                return True
    return False


def messages_of(repository):
    """Returns a dictionary from each message to a source that has it."""
    found = {}
    for folder in ("include/linea", "examples/programs"):
        for source in sorted((repository / folder).rglob("*.[hc]pp")):
            if "check" not in source.relative_to(repository).parts:
                for said in messages(source.read_text()):
                    found.setdefault(said, source.relative_to(repository))
    return found


def problems(repository, exceptions):
    known = messages_of(repository)
    texts = {plain(run) for test in (repository / "tests").rglob("*_test.cpp")
             for run in re.findall(rf"{STRING}(?:\s*{STRING})*", without_comments(test.read_text()))}
    found = [f"no test quotes: {said} ({source})" for said, source in known.items()
             if said not in exceptions and not is_quoted(said, texts)]
    return found + [f"no source has the exception: {said}" for said in exceptions if said not in known], len(known)


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("include/linea/core", "tests/core"):
            (root / name).mkdir(parents=True)
        (root / "include/linea/core/a.hpp").write_text(
            'require(f(a, ",") > 0, function, ": x has ", n, " rows, "\n "but y has ", m);  // refuse("not this")\n'
            'source.refuse_at(word, what, " is " + std::string("missing") + tail);\nthrow 1;\n')

        def of(test, exceptions=()):
            (root / "tests/core/a_test.cpp").write_text(test)
            return problems(root, exceptions)[0]

        whole = 'says("has 3 rows, but y has 4"); says("is missing");'
        assert of(whole) == [], of(whole)
        assert of('says("has 3 rows, but y has 4");  // "is missing"') == ["no test quotes: is missing… (include/linea/core/a.hpp)"]
        assert of('says("x has"); says("is missing");') == ["no test quotes: x has … rows, but y has … (include/linea/core/a.hpp)"]
        assert of('says("3 rows, but y h");', ["is missing…"]) == []
        assert of(whole, ["is lost"]) == ["no source has the exception: is lost"]


if sys.argv[1] == "--self-test":
    self_test()
else:
    found, count = problems(pathlib.Path(sys.argv[1]), EXCEPTIONS)
    print("\n".join(found) or f"tests quote {count - len(EXCEPTIONS)} messages, and {len(EXCEPTIONS)} have a reason")
    sys.exit(bool(found))
