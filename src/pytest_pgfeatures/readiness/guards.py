"""Branches of a program or script that run only on some versions, because they compare the server's version, or
only on other database systems.

These are psql's ``\\if`` on what ``\\gset`` keeps, IF in PL/pgSQL, the conditions of programming languages and of
Jinja's templates, Liquibase's ``sqlCheck``, and those that YAML has as ``when:``, ``if:`` and ``runonserver:``.
Code that handles the error of a missing object is a branch, too: no version runs it without that error. The
value of a mapping by version is for the versions from its key up to the next one, and so is a directory such as
``pg14`` beside ``pg15``.
"""

from __future__ import annotations

import contextlib
import functools
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness import conditions
from pytest_pgfeatures.readiness.inputs.files import written
from pytest_pgfeatures.readiness.inputs.languages import ParsedText, lacking, language_of, parts_of
from pytest_pgfeatures.readiness.inputs.yaml_files import SUFFIXES, entries, nodes
from pytest_pgfeatures.readiness.model import Finding, Place, Query
from pytest_pgfeatures.readiness.statements.embedded import embedded, parts_of_body, routine_of
from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from tree_sitter import Node


_SCRIPTS = frozenset({"", ".sh", ".bash"})
_GSET = re.compile(r"\\gset[ \t]*(\w*)")
_KEPT = re.compile(r"[)\s]*+(?:::\s*+bool(?:ean)?[)\s]*+)?\bas\s++\"?(\w+)", re.IGNORECASE)
_OF_PSQL = re.compile(r"^[ \t]*\\(if|elif|else|endif)\b[ \t]*(?::(\w+))?.*$", re.MULTILINE)
_ELSE = ("else", "elif", "elsif", ":")
_BLOCK = re.compile(r"\w*(?:block|body|statements|statement_list|suite)|compound_statement|then")
_LEAVING = re.compile(r"(?:return|throw|raise|exit|die|panic)\b")  # nothing runs after it
_NEGATED = re.compile(r"\bunless\s*\(?\Z")
_LONGEST_WORD = 20
_OF_JINJA = re.compile(r"\{%-?\s*(if|elif|else|endif)\b([^%{}]*)%\}")
_IN_LINE = re.compile(r"\{\{([^{}]*?)\bif\b([^{}]*?)\belse\b([^{}]*)\}\}")  # a value by a condition
_CHANGESET = re.compile(r"<changeSet\b.*?</changeSet>", re.DOTALL)
_CHECKED = re.compile(r"<sqlCheck\b(?>[^<>]*?\bexpectedResult=)['\"](\w+)['\"][^<>]*+>([^<]*)<")
"""A change of Liquibase, and a condition that it may have."""
_ASSIGNS = re.compile(r"(?:[\w.]+\s+)*?[$@]?(\w+)\s*(?::\s*\w+\s*)?:?=(?!=)(.*)", re.DOTALL)
_STEPS = {
    "if": "if", "begin": "if", "case": "if", "elsif": "elif", "elseif": "elif", "when": "elif", "exception": "elif",
    "else": "else", "end": "endif",
}  # fmt: skip
"""The step that a part of a body in PL/pgSQL is, by its first word."""
_OF_HANDLERS = frozenset({"exception", "when", "or", "sqlstate"})
_KEY = re.compile(
    r"[\s\[({&]*(?:[a-z]\w*\()?(?:\w+\s*[:=]\s*)?['\":]?\$?(?:\w*(?:version|pg|postgres(?:ql)?|v)_?)?"
    r"(?P<major>\d{1,6})(?:\.(?P<minor>\d))?['\"]?[\])]?\s*(?:=>?|[:,]|->|to\b)",
    re.IGNORECASE,
)
"""The beginning of an element of a mapping by version, in any language."""
_OF_DIRECTORY = re.compile(r"(?:pg|postgres(?:ql)?)[_-]?(?P<major>\d\d?)(?:\.(?P<minor>\d))?", re.IGNORECASE)
_NUMBER = re.compile(r"(?P<major>[89]|[1-3]\d)(?:\.(?P<minor>\d))?")  # where all directories have such names
_BOUND = re.compile(
    r"(?:\w{,60}_)?(?P<end>min|max)_?(?:\w{,60}_)?version\s*=\s*(?P<major>\d+)\.?(?P<minor>\d)?"
)
_OF_NAME = re.compile(rf"(?<![a-z])(?P<sign>[lg]te?|[lg]e)[_-]?{_OF_DIRECTORY.pattern}(?!\d)", re.IGNORECASE)
_IS_ABOUT = re.compile(r"version|pg|sql|postgres|\d{5}|\b9\.\d\b", re.IGNORECASE)
_FAR = 200  # characters
_KNOWN = range(70000, 400000)  # versions


class Guard(NamedTuple):
    """A branch that only some versions run."""

    begin: Place
    end: Place
    versions: range  # as in server_version_num
    condition: str  # where it is: a line, or the directory for a version


class Guards:
    """The guarded branches of the application's files and queries. A file is read when a finding is in it."""

    def __init__(self, old: PgVersion, new: PgVersion, queries: Iterable[Query] = ()) -> None:
        self._old = old
        self._new = new
        self._queries = queries
        self._known: dict[str, list[Guard]] = {}

    def marked(self, finding: Finding) -> Finding | None:
        """A finding; as a note that says so, if it is in a branch that the new version does not run. None if the
        branch is for other database systems, or if the old version does not run it, and the finding is a note, or
        a difference from a version that does not run it either."""
        guard = self.at(finding.place)
        if guard is None:
            later = self.at(finding.place, self._old)
            is_left_out = later and (finding.severity == "note" or _is_before(finding, later.versions.start))
            return None if is_left_out else finding
        if guard.versions is conditions.ELSEWHERE:
            return None
        where = f"on other versions than {self._new}"
        where = "only where an object is missing" if guard.versions is conditions.NEVER else where
        return replace(
            finding,
            severity="note",
            certainty="may affect",
            message=f"{finding.message} (guarded: {guard.condition} runs this {where})",
            remedy="nothing, unless the condition is wrong",
        )

    def at(self, place: Place | None, version: PgVersion | None = None) -> Guard | None:
        """The branch around a place that a version, by default the new one, does not run; None if there is none."""
        if place is None:
            return None
        if place.file not in self._known:
            queries = (each for each in self._queries if each.file == place.file)
            self._known[place.file] = [*self._in_file(place.file), *_in_bodies(queries)]
        num = (version or self._new).num
        return _around((each for each in self._known[place.file] if num not in each.versions), place)

    def _in_file(self, file: str) -> Iterator[Guard]:
        path, text = Path(file), written_in(file)
        if not text:
            return
        yield from _of_path(file)
        whole = Query(text, "source code", file, tuple(range(1, text.count("\n") + 2)))
        if path.suffix.lower() in SUFFIXES:
            yield from _of_yaml(whole)
        language = language_of(path) or ("shell" if path.suffix in _SCRIPTS else None)
        if language is not None and not lacking(language):
            with contextlib.suppress(PgFeaturesError):  # reported where the file is read
                tree = ParsedText(text, language)
                guards = [*_of_program(whole, tree), *_of_mappings(whole, tree)]
                yield from _with_names(guards, whole, tree)
        for pattern, condition in ((_OF_PSQL, self._kept.get), (_OF_JINJA, str)):
            words = pattern.finditer(text)
            steps = ((each[1], *each.span(), conditions.sides_of(condition(each[2]) or "")) for each in words)
            yield from _branches(steps, whole)
        for changes in _CHANGESET.finditer(text):
            for check in _CHECKED.finditer(changes[0]):
                is_denied = check[1].lower() in ("f", "false", "0")
                versions = conditions.sides_of(html.unescape(check[2]))[is_denied]
                yield from _guards(whole, changes.start() + check.start(), (*changes.span(), versions))
        for found in _IN_LINE.finditer(text):
            versions, others = conditions.sides_of(found[2])
            yield from _guards(whole, found.start(), (*found.span(1), versions), (*found.span(3), others))

    @functools.cached_property
    def _kept(self) -> dict[str, str]:
        """By variable of psql in any of the files: the comparison whose result ``\\gset`` keeps in it."""
        kept: dict[str, str] = {}
        for text in map(written_in, {each.file for each in self._queries}):
            for found in conditions.COMPARISON.finditer(text):
                named, prefix = _KEPT.match(text, found.end()), _GSET.search(text, found.end())
                kept |= {prefix[1] + named[1]: found[0]} if named and prefix else {}
        return kept


def _guards(whole: Query, at: int, *branches: tuple[int, int, range | None]) -> Iterator[Guard]:
    """The branches of a condition at an index, between two others, that only some versions run."""
    line = f"line {whole.place(at).line}"
    for begin, end, versions in branches:
        if versions is not None:
            yield Guard(whole.place(begin), whole.place(end), versions, line)


def _is_before(finding: Finding, num: int) -> bool:
    """Whether a finding is a measured difference that no change after a version explains."""
    named = (*finding.items, *filter(None, [finding.behavior]))
    majors = (int(re.split("[./]", each)[0]) for each in named)
    is_measured = finding.stage != "incompatibilities" and not finding.sqlstate
    return is_measured and all(major * 10000 <= num for major in majors)


def written_in(file: str) -> str:
    """The text of a file; empty if it can't be read."""
    with contextlib.suppress(OSError, UnicodeDecodeError, PgFeaturesError):
        return written(Path(file), file).decode()
    return ""


def _of_path(file: str) -> Iterator[Guard]:
    """A directory for a version, beside some for others: for the versions from its own up to the next one. A name
    that compares a version, such as ``lt_pg17``, is one, too. A file's own directory may have a number alone."""
    path, begin, end = Path(file), Place(file, 1), Place(file, conditions.ALWAYS)
    for named in filter(None, map(_OF_NAME.search, path.parts[-2:])):
        yield Guard(begin, end, conditions.versions_of(named), named[0])
    for around in path.absolute().parents[:-1]:
        is_number = around.name == path.parent.name and _NUMBER.fullmatch(around.name)
        pattern = _NUMBER if is_number else _OF_DIRECTORY
        if of_version := pattern.fullmatch(around.name):
            siblings = [pattern.fullmatch(each.name) for each in around.parent.iterdir() if each.is_dir()]
            firsts = {conditions.versions_of(each, ">=").start for each in siblings if each}
            first = conditions.versions_of(of_version, ">=").start
            if len(firsts) > 1 and not (is_number and None in siblings):
                until = min((each for each in firsts if each > first), default=conditions.ALWAYS)
                yield Guard(begin, end, range(first, until), around.name)


def _in_bodies(queries: Iterable[Query]) -> Iterator[Guard]:
    """The branches of bodies in PL/pgSQL."""
    patterns = conditions.LIKELY, conditions.IS_REFUSED
    likely = (query for query in queries if any(each.search(query.sql) for each in patterns))
    for each in (part for query in likely for part in (query, *embedded(query))):
        routine = routine_of(each)
        if routine is not None and routine.body is not None and routine.language == "plpgsql":
            yield from _branches(_steps_of_body(StatementReading(routine.body)), routine.body)


def _of_yaml(whole: Query) -> Iterator[Guard]:
    """The mappings with a condition: tasks of Ansible, steps of workflows, queries of an exporter."""
    with contextlib.suppress(PgFeaturesError, ExtraMissingError):  # reported where the file is read
        for node, *_ in nodes(whole.sql, whole.file):
            is_script = node.id == "scalar" and node.style == "|" and conditions.LIKELY.search(node.value)
            if is_script and not lacking("shell"):
                start = whole.sql.index("\n", node.start_mark.index) + 1
                script = whole.part(start, node.end_mark.index)
                yield from _of_program(script, ParsedText(script.sql, "shell"))
            inside = entries(node)
            spans = [((naming or each).start_mark.index, each.end_mark.index) for _, naming, each in inside]
            yield from _by_version(spans, whole)
            for key, naming, value in inside:
                if naming:
                    begin, end = node.start_mark.index, node.end_mark.index
                    yield from _guards(whole, naming.start_mark.index, (begin, end, _of_entry(key, value)))


def _of_mappings(whole: Query, tree: ParsedText) -> Iterator[Guard]:
    """The elements of mappings by version: each child of a node is one, or each two of them."""
    for node in tree.nodes():
        inside = parts_of(node)
        for each in inside if ".toml" in tree.language.suffixes else ():
            if bound := _BOUND.fullmatch(whole.sql, each.start_byte, each.end_byte):
                yield from _guards(whole, each.start_byte, (node.start_byte, node.end_byte, _bounded(bound)))
        for step in (1, 2):
            pairs = zip(inside[::step], inside[step - 1 :: step], strict=False)
            yield from _by_version([(first.start_byte, last.end_byte) for first, last in pairs], whole)


def _by_version(spans: list[tuple[int, int]], whole: Query) -> Iterator[Guard]:
    """The elements of a mapping whose keys are all versions, each from its own up to the next one.

    Parameters:
        spans: where each element begins and ends; it begins with its key.
    """
    keys = [_KEY.match(whole.sql, *each) for each in spans]
    firsts = [conditions.versions_of(each, ">=").start for each in keys if each]
    if len(spans) < 2 or len(firsts) < len(spans) or not all(first in _KNOWN for first in firsts):
        return
    if not _IS_ABOUT.search(whole.sql, max(spans[0][0] - _FAR, 0), spans[0][1]):
        return
    for first, (begin, end) in zip(firsts, spans, strict=True):
        until = min((each for each in firsts if each > first), default=conditions.ALWAYS)
        yield from _guards(whole, begin, (begin, end, range(first, until)))


def _bounded(bound: re.Match[str]) -> range:
    """The versions from a minimum, or up to a maximum, of which one such as 130000 is not included, and 13 is."""
    below = "<" if len(bound["major"]) > 2 else "<="
    return conditions.versions_of(bound, ">=" if bound["end"] == "min" else below)


def _of_entry(key: str, value: Any) -> range | None:
    """The versions for which the mapping with an entry is meant."""
    said = [each.value for each in (value, *(item for _, _, item in entries(value))) if each.id == "scalar"]
    known: list[range] = []
    if key in ("when", "if"):
        known = [each for each in map(conditions.compared, said) if each is not None]
    elif key == "runonserver":
        known = [*map(conditions.versions_of, re.finditer(conditions.COMPARED, " ".join(said)))]
    elif bound := _BOUND.fullmatch(f"{key} = {' '.join(said)}"):
        known = [_bounded(bound)]
    return range(max(each.start for each in known), min(each.stop for each in known)) if known else None


def _of_program(whole: Query, tree: ParsedText) -> Iterator[Guard]:
    """The code between a condition and ELSE, and that from there on, in any language's tree."""
    names: list[str] = []
    for node in tree.nodes():
        assigned = _ASSIGNS.match(tree.of(node)) if node.type in tree.language.constants else None
        if assigned and conditions.LIKELY.search(assigned[2]) and conditions.compared(assigned[2]) is None:
            names.append(assigned[1])
        condition = _condition_of(node)
        if condition is None:
            continue
        said = tree.of(condition)
        handles = bool(conditions.IS_REFUSED.search(said)) and not conditions.WITH_OR.search(said)
        versions, others = conditions.sides_of(said, names, handles=handles)
        if _NEGATED.search(whole.sql, max(condition.start_byte - _LONGEST_WORD, 0), condition.start_byte):
            versions, others = others, versions
        parts = (each.children if each.type == "do_block" else (each,) for each in node.children)
        after = [each for some in parts for each in some if each.start_byte >= condition.end_byte]
        named = next((at for at, each in enumerate(after) if each.is_named), None)
        if named is None:  # the condition is behind its branch
            last, otherwise = node.named_children[0], node.end_byte
            spans = [(node.start_byte, condition.start_byte, versions)]
        else:
            following = (each for each in after[named + 1 :] if each.type.startswith(_ELSE))
            otherwise = next((each.start_byte for each in following), node.end_byte)
            spans = [(condition.end_byte, otherwise, versions), (otherwise, node.end_byte, others)]
            last = [each for each in after[named:] if each.is_named and each.start_byte < otherwise][-1]
            while last.named_children and _BLOCK.fullmatch(last.type):
                last = last.named_children[-1]
        leaves = tree.around and otherwise == node.end_byte and _LEAVING.match(tree.of(last))
        if leaves or node.type == "expression_case":  # of a switch
            spans.append((node.end_byte, tree.around[-1].end_byte, others))
        yield from _guards(whole, condition.start_byte, *spans)


def _with_names(guards: list[Guard], whole: Query, tree: ParsedText) -> Iterator[Guard]:
    """The branches, and the values of names that the file uses only in such branches."""
    yield from guards
    for node in tree.nodes() if guards else ():
        if node.type in tree.language.constants and (given := _ASSIGNS.match(tree.of(node))):
            begin, end = (whole.place(at) for at in (node.start_byte, node.end_byte))
            found = re.finditer(rf"\b{re.escape(given[1])}\b", whole.sql)
            uses = [each.start() for each in found if not node.start_byte <= each.start() < node.end_byte]
            known = [*filter(None, (_around(guards, whole.place(each)) for each in uses))]
            if known and len(known) == len(uses):
                first = min(each.versions.start for each in known)
                last = max(each.versions.stop for each in known)
                yield Guard(begin, end, range(first, last), known[0].condition)


def _around(guards: Iterable[Guard], place: Place) -> Guard | None:
    """The first branch that has a place."""
    return next((each for each in guards if each.begin <= place < each.end), None)


def _condition_of(node: Node) -> Node | None:
    """The condition of a node: where the grammar has no name for it, what follows ``if`` or ``elif``."""
    target = node.child_by_field_name("target")
    is_call = target is not None and target.text in (b"if", b"unless")
    if is_call or node.type == "elif_clause":
        return node.child_by_field_name("condition") or next(iter(node.named_children[is_call:]), None)
    has_value = node.type in ("except_clause", "expression_case")
    return node.child_by_field_name("value" if has_value else "condition")


_Step = tuple[str, int, int, conditions.Sides]
"""A word that begins or ends a branch: ``if``, ``elif``, ``else``, ``endif``; where it begins, and where its
condition ends. Blocks, loops and CASE have them, too, without versions."""


def _branches(steps: Iterable[_Step], whole: Query) -> Iterator[Guard]:
    """The branches that only some versions run."""
    around: list[tuple[int, int, range | None, range | None]] = []
    for word, start, end, (versions, others) in steps:
        if word == "if":
            around.append((start, end, versions, others))
        elif around:
            begin, inside, run_by, otherwise = around.pop()
            yield from _guards(whole, begin, (inside, start, run_by))
            if word != "endif":
                around.append((start, end, otherwise if word == "else" else versions, None))


def _steps_of_body(body: StatementReading) -> Iterator[_Step]:
    names: list[str] = []
    ends = [*((token.start, token.end) for token in body.tokens), (len(body.query.sql),) * 2]
    for first, end, _ in parts_of_body(body):
        start, stop = ends[first][0], ends[end][1]
        said, word = body.query.sql[start:stop], body.keyword(first)
        if step := "if" if body.keyword(end) == "loop" and word != "end" else _STEPS.get(word):
            given = {body.strings.get(at) or body.keyword(at) for at in range(first, end)} - _OF_HANDLERS
            are_errors = bool(given) and all(map(conditions.IS_REFUSED.fullmatch, given))
            handles = word in _OF_HANDLERS and are_errors
            yield step, start, stop, conditions.sides_of(said, names, handles=handles)
        elif conditions.LIKELY.search(said):
            target = next((at + 1 for at in range(first, end) if body.keyword(at) == "into"), first)
            names.append(body.name(target + (body.keyword(target) == "strict")) or "server_version_num")
