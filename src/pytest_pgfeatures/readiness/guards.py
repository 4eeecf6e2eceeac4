"""Branches of a program or script that run only on some versions, because they compare the server's version.

These are psql's ``\\if`` on what ``\\gset`` keeps, IF in PL/pgSQL, and the conditions of programming languages.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.languages import BY_SUFFIX, grammar, lacking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pytest_pgfeatures.readiness.model import Finding, Place
    from pytest_pgfeatures.version import PgVersion

_ALWAYS = 10**9
_LARGEST = 1 << 22
_VERSION = r"\w*(?:server_?|pg_?|postgres(?:ql)?_?|database_?(?:major_?)?)version\w*"
_LIKELY = re.compile(_VERSION, re.IGNORECASE)
_AFTER_NAME = r"""(?:\(\))?['")\]\s]*+(?:,\s*(?:true|false)\s*\))?(?:::\s*\w+)?[)\s]*+"""
_COMPARED = r"(?P<sign>>=|<=|===?|[<>=])\s*['\"]?(?P<number>\d[\d_]*(?:\.\d)?)"
_GSET = re.compile(r"\\gset[ \t]*(\w*)")
_KEPT = re.compile(r"[)\s]*(?:::\s*bool(?:ean)?)?[)\s]*\bas\s+\"?(\w+)", re.IGNORECASE)
_OF_PSQL = re.compile(r"^[ \t]*\\(if|elif|else|endif)\b[ \t]*(?::(\w+))?.*$", re.MULTILINE)
_OF_BODY = re.compile(
    r"--[^\n]*|\bend\s+(?:if|case)\b|\b(?:if|elsif|elseif)\b(?P<condition>[^;]{1,400}?)\bthen\b|\b(?:else|case|end)\b",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"\b(\w+)\s+(?:\w+\s*)?(?::=|=|default)[^;\n]{0,80}\bserver_version_num\b"
    r"|\bserver_version_num\b[^;\n]{0,60}\binto\s+(?:strict\s+)?(\w+)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\b(?:and|or|not)\b|&&|\|\||!", re.IGNORECASE)
_WITH_OR = re.compile(r"\bor\b|\bnot\b|\|\||!(?!=)", re.IGNORECASE)


class Versions(NamedTuple):
    """A range of versions, from the first one up to, but not including, another one, as in server_version_num."""

    first: int
    until: int

    def others(self) -> Versions | None:
        """The versions outside of the range, if they are contiguous."""
        if self.first == 0:
            return Versions(self.until, _ALWAYS)
        return Versions(0, self.first) if self.until == _ALWAYS else None


class Guard(NamedTuple):
    """A branch: its begin and end as line and column from 1, the versions that run it, and the line of its
    condition."""

    begin: tuple[int, int]
    end: tuple[int, int]
    versions: Versions
    line: int


def compared(condition: str, names: frozenset[str] = frozenset()) -> Versions | None:
    """The versions for which a condition may hold; None if it doesn't compare the server's version.

    Parameters:
        names: the variables that hold the version.
    """
    if _WITH_OR.search(condition):
        return None
    also = "".join(rf"|\b{re.escape(name)}\b" for name in names)
    found = re.search(f"(?:{_VERSION}{also}){_AFTER_NAME}{_COMPARED}", condition, re.IGNORECASE)
    return _versions(found["sign"], found["number"].replace("_", "")) if found else None


def _versions(sign: str, number: str) -> Versions | None:
    if "." in number or int(number) < 100:
        major, _, minor = number.partition(".")
        first = int(major) * 10000 + (int(minor or 0) * 100 if int(major) < 10 else 0)
        until = first + (10000 if int(major) >= 10 else 100)
    else:
        first, until = int(number), int(number) + 1
    return {
        ">=": Versions(first, _ALWAYS),
        ">": Versions(until, _ALWAYS),
        "<": Versions(0, first),
        "<=": Versions(0, until),
    }.get(sign, Versions(first, until))


class Guards:
    """The guarded branches of the application's files. A file is read when a finding is in it.

    Parameters:
        new: the version to which the application is upgraded.
    """

    def __init__(self, new: PgVersion) -> None:
        self._new = new
        self._known: dict[str, list[Guard]] = {}

    def marked(self, finding: Finding) -> Finding:
        """The finding; as a note that says so, if its place is in a branch that the new version does not run."""
        guard = self.at(finding.place)
        if guard is None or finding.place is None:
            return finding
        return replace(
            finding,
            severity="note",
            certainty="may affect",
            message=f"{finding.message} (guarded: line {guard.line} runs this on other versions than {self._new})",
            remedy="nothing, unless the condition is wrong",
        )

    def at(self, place: Place | None) -> Guard | None:
        """The branch around a place that the new version does not run; None if there is none."""
        if place is None:
            return None
        if place.file not in self._known:
            self._known[place.file] = list(_guards_in(place.file))
        at = (place.line, place.column)
        num = self._new.num
        return next(
            (
                each
                for each in self._known[place.file]
                if each.begin <= at < each.end and not each.versions.first <= num < each.versions.until
            ),
            None,
        )


def _guards_in(file: str) -> Iterator[Guard]:
    path = Path(file)
    try:
        text = read_regular_text(path) if path.is_file() and path.stat().st_size <= _LARGEST else ""
    except (OSError, UnicodeDecodeError):
        return
    if _LIKELY.search(text) is None:
        return
    language = BY_SUFFIX.get(path.suffix.lower())
    if language is not None and not lacking(language):
        yield from _of_program(text, language)
    yield from _of_psql(text)
    yield from _of_bodies(text)


def _of_program(text: str, language: str) -> Iterator[Guard]:
    plain = text.encode("ascii", "replace")
    waiting = [grammar(language).parse(plain).root_node]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        condition = node.child_by_field_name("condition")
        if condition is None:
            continue
        said = plain[condition.start_byte : condition.end_byte].decode()
        versions = compared(said)
        if versions is None:
            continue
        line = condition.start_point[0] + 1
        then = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        if then is not None:
            yield _guard(then, versions, line)
        others = versions.others()
        if others is not None and _SEVERAL.search(said) is None:
            for otherwise in node.children_by_field_name("alternative"):
                yield _guard(otherwise, others, line)


def _guard(node: Node, versions: Versions, line: int) -> Guard:
    (first, column), (last, end) = node.start_point, node.end_point
    return Guard((first + 1, column + 1), (last + 1, end + 1), versions, line)


def _of_psql(text: str) -> Iterator[Guard]:
    kept: dict[str, Versions | None] = {}
    for found in re.finditer(rf"(?:{_VERSION}){_AFTER_NAME}{_COMPARED}", text, re.IGNORECASE):
        named = _KEPT.match(text, found.end())
        prefix = _GSET.search(text, found.end())
        if named is not None and prefix is not None:
            kept[prefix[1] + named[1]] = _versions(found["sign"], found["number"].replace("_", ""))
    branches = _Branches(text)
    for found in _OF_PSQL.finditer(text) if kept else ():
        versions = kept.get(found[2]) if found[2] else None
        yield from branches.follow(found[1], found.start(), found.end(), versions, several=False)


def _of_bodies(text: str) -> Iterator[Guard]:
    names = frozenset(name for found in _ASSIGNED.finditer(text) for name in found.groups() if name)
    branches = _Branches(text)
    for found in _OF_BODY.finditer(text):
        word = " ".join(found[0].lower().split())
        condition = found["condition"]
        if condition is not None:
            word = "if" if word.startswith("if") else "elif"
            several = _SEVERAL.search(condition) is not None
            yield from branches.follow(
                word, found.start(), found.end(), compared(condition, names), several=several
            )
        elif word == "end if":
            yield from branches.follow("endif", found.start(), found.end(), None, several=False)
        elif word in ("case", "end", "end case"):
            branches.inside_case(begins=word == "case")
        elif word == "else":
            yield from branches.follow(word, found.start(), found.end(), None, several=False)


class _Branches:
    """The blocks of IF around a place of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks: list[tuple[int, Versions | None, Versions | None, int]] = []
        self._cases = 0

    def inside_case(self, *, begins: bool) -> None:
        """Track the beginning or end of a CASE: an ELSE inside it doesn't belong to an IF."""
        self._cases = max(self._cases + (1 if begins else -1), 0)

    def follow(
        self, word: str, start: int, end: int, versions: Versions | None, *, several: bool
    ) -> Iterator[Guard]:
        """Process ``if``, ``elif``, ``else`` or ``endif``. Each branch that ends here is kept."""
        if word == "else" and self._cases:
            return
        otherwise: Versions | None = None
        if word != "if":
            if not self._blocks:
                return
            begin, of_branch, otherwise, line = self._blocks.pop()
            if of_branch is not None:
                yield Guard(self._place(begin), self._place(start), of_branch, line)
            if word == "endif":
                return
        if word == "else":
            self._blocks.append((end, otherwise, None, self._place(start)[0]))
        else:
            left = versions.others() if versions and not several and word == "if" else None
            self._blocks.append((end, versions, left, self._place(start)[0]))

    def _place(self, index: int) -> tuple[int, int]:
        return self._text.count("\n", 0, index) + 1, index - self._text.rfind("\n", 0, index)
