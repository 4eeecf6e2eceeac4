"""Compare the objects that the two servers created from the schema, by their catalogs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import NamedTuple

import psycopg

from pytest_pgfeatures.readiness.advice import proof_of
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt, Query
from pytest_pgfeatures.readiness.servers.loading import tried
from pytest_pgfeatures.readiness.servers.side import Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.object_questions import QUESTIONS, ObjectQuestion
from pytest_pgfeatures.readiness.stages.places import Shown, definitions_in
from pytest_pgfeatures.readiness.wording import listed, parts, shortened
from pytest_pgfeatures.server.watchdog import Watchdog

_READS = b"""
    SELECT r.ev_class::regclass::text, array_agg(DISTINCT d.refobjid::regclass::text)
      FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid AND d.classid = 'pg_rewrite'::regclass
     WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class GROUP BY 1
"""
_PATH = b"""
    SELECT set_config('pgfeatures.path', current_schemas(false)::text, false), set_config('search_path', '', false)
"""
"""Names are written with their schemas; one question needs the path that the application has."""
_CREATED_AGAIN = {
    "view": ("CREATE TEMPORARY VIEW pgfeatures_respelled AS {definition}",),
    "constraint": ("ALTER TABLE {0} DROP CONSTRAINT {1}", "ALTER TABLE {0} ADD CONSTRAINT {1} {definition}"),
    "index": ("DROP INDEX {0}", "{definition}"),
    "trigger": ("DROP TRIGGER {1} ON {0}", "{definition}"),
    "rule": ("DROP RULE {1} ON {0}", "{definition}"),
}
"""By kind of object: the statements that create it again, with the values of its key, in the server's own form."""
_DEFINED_BY = {
    "table": ("table", "view", "sequence"), "column": ("table", "view"), "index": ("index", "constraint"),
    "constraint": ("table", "domain"), "type": ("domain", "type"),
}  # fmt: skip
"""The kinds of definitions whose place is that of an object of a kind, if they are others."""
_WITH_SCHEMA = re.compile(r"\w+\.")
_SHORT = 60
_LONGEST = 400
_MANY = 5  # objects that differ alike become one finding
_NAMED = 3  # other objects that it names


class CreatedObject(NamedTuple):
    """An object of a server, with the values of its question's key and properties."""

    question: ObjectQuestion
    key: tuple[str, ...]
    name: str
    properties: Mapping[str, str | None]
    changes: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """The properties that differ, with the values of both servers."""

    @property
    def kind(self) -> str:
        return self.question.kind

    @property
    def described(self) -> str:
        """The differing properties in words."""
        return "; ".join(_change(name, *values) for name, values in self.changes.items())

    @property
    def definitions(self) -> list[str]:
        """The definitions whose place is the object's, the first one that a file has."""
        kinds = _DEFINED_BY.get(self.kind, (self.kind,))
        full = self.key[0].partition("(")[0].replace('"', "")
        names = [f"{each} {full}" for each in kinds]
        names += [f"{self.kind} {self.key[-1]}"] if self.kind != "column" else []
        return names + [f"{each} {full.partition('.')[2]}" for each in kinds]


_Objects = dict[tuple[str, str], CreatedObject]  # by kind and name


def compare_created(
    trial: Trial, statements: Sequence[Query], altered: frozenset[tuple[str, str]]
) -> Iterator[Found]:
    """Compare the objects of the servers, except for columns that a statement alters which one of them rejected."""
    old, new = trial.both(_objects)
    yield "objects compared", len(old.keys() & new.keys())
    kinds = {kind for kind, _ in new}
    for question in QUESTIONS:
        if question.kind in kinds and trial.pair.old not in question.versions:
            yield NotLookedAt(f"schema: every {question.kind}", f"{trial.pair.old.major} has no such catalog")
    with trial.sides[1].connect() as connection, Watchdog(connection, trial.timeout) as watchdog:
        connection.execute("SET search_path = ''")
        differences = [
            each
            for each in _differences(watchdog, old, new)
            if each.kind != "column"
            or altered.isdisjoint((each.key[0].rpartition(".")[2], name) for name in (each.key[1], "*"))
        ]
        reads: dict[str, list[str]] = dict(connection.execute(_READS).fetchall())
    definitions = definitions_in(statements)
    causes: dict[int, list[CreatedObject]] = {}
    for at, each in enumerate(differences):
        causes.setdefault(_cause(at, differences, reads), []).append(each)
    yield from _together([_finding(trial, differences[at], some, definitions) for at, some in causes.items()])


def _objects(side: Side) -> _Objects:
    """The objects for which the server has a catalog."""
    with side.connect() as connection:
        connection.execute(_PATH)
        created = (
            CreatedObject(each, tuple(key), (name or ".".join(key)).replace('"', ""),
                          dict(zip(each.properties, values, strict=True)))
            for each in QUESTIONS
            if side.install.version in each.versions
            for key, name, values in connection.execute(each.sql.encode())
            if not key[0].startswith("pg_")  # the system's, temporary ones, and those of TOAST
        )  # fmt: skip
        return {(each.kind, each.name): each for each in created}


def _differences(watchdog: Watchdog, old: _Objects, new: _Objects) -> Iterator[CreatedObject]:
    """The objects that differ in more than the form of a definition, which the new server tells."""
    for name, before in old.items():
        after = new.get(name, before)
        changes = {
            each: (was, is_)
            for each, was in before.properties.items()
            if was is not None and (is_ := after.properties.get(each)) is not None and was != is_
        }
        if "definition" in changes and _is_spelling(watchdog, after, *changes["definition"]):
            del changes["definition"]
        if changes:
            yield after._replace(changes=changes)


def _cause(at: int, differences: Sequence[CreatedObject], reads: Mapping[str, Sequence[str]]) -> int:
    """The first difference from which one follows: a view's column follows its definition, or the same change of a
    column that the view reads."""
    one = differences[at]
    for number, each in enumerate(differences if one.kind == "column" else ()):
        is_read = each.kind == "column" and each.key[0] in reads.get(one.key[0], ())
        if (is_read and each.changes == one.changes) or (each.kind == "view" and each.key[0] == one.key[0]):
            return _cause(number, differences, reads)
    return at


def _finding(
    trial: Trial, first: CreatedObject, some: Sequence[CreatedObject], definitions: Mapping[str, Shown]
) -> Finding:
    """The finding about a difference, and those that follow from it."""
    own = [
        f"column {each.key[1]}: {each.described}"
        for each in some
        if each is not first and each.key[0] == first.key[0]
    ]
    others = [f"{each.kind} {each.name}" for each in some if each.key[0] != first.key[0]]
    alone = {_WITH_SCHEMA.sub("", part) for value in first.changes.values() for part in value}
    path = "SET search_path = ''; " if len(alone) == 1 else ""
    place = next(filter(definitions.__contains__, first.definitions), "")
    return Finding(
        "schema", "warning", "may affect",
        f"it differs on {trial.pair.new.major}: {'; '.join([first.described, *own])}{_so(others)}",
        "check whether the application relies on it; set it in the schema to get the same on both versions",
        object=f"{first.kind} {first.name}",
        proof=proof_of(trial, path + first.question.only(first.changes, first.key), trial.inputs.schema),
        **definitions.get(place, {}),
    )  # fmt: skip


def _together(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings. Of many equal ones about objects of one kind, only the first, which names some others."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        kind = (finding.object or "").partition(" ")[0]
        alike.setdefault((kind, finding.message), []).append(finding)
    for some in alike.values():
        if len(some) < _MANY:
            yield from some
            continue
        some.sort(key=lambda each: (each.place is None, each.place and (each.place.file, each.place.line)))
        others = [(each.object or "").partition(" ")[2] for each in some[1:]]
        yield replace(some[0], message=some[0].message + _so(others))


def _so(others: Sequence[str]) -> str:
    """The other objects that differ alike, as the end of a message."""
    do = "do" if len(others) > 1 else "does"
    return f"; so {do} {listed(others, _NAMED)}" if others else ""


def _change(property_: str, before: str, after: str) -> str:
    """The two values of a property; of long ones, the words that differ; of lists, the entries."""
    if property_ == "privileges":
        old, new = (set(value.split(", ")) - {"none"} for value in (before, after))
        return f"privileges: {parts('without', sorted(old - new), 'also', sorted(new - old))}"
    was, is_ = (_plain(value).removesuffix(";").split(" ") for value in (before, after))
    whole = ("replace", 0, len(was), 0, len(is_))
    long = len(before) > _SHORT
    ranges = SequenceMatcher(None, was, is_, autojunk=False).get_opcodes() if long else [whole]
    changes = (
        f"{' '.join(was[a:b]) or '-'} -> {' '.join(is_[c:d]) or '-'}"
        for kind, a, b, c, d in ranges
        if kind != "equal"
    )
    return f"{property_}: {shortened(', '.join(changes), _LONGEST)}"


def _is_spelling(watchdog: Watchdog, of: CreatedObject, old: str, new: str) -> bool:
    """Whether two definitions differ only in form: the new server rewrites the old server's one to its own."""
    connection = watchdog.connection
    names = [of.key[0], *(psycopg.sql.Identifier(name).as_string() for name in of.key[1:])]
    key = ("pg_temp.pgfeatures_respelled",) if of.kind == "view" else of.key
    shown = of.question.only(["definition"], key)

    def respelled(definition: str) -> str:
        with connection.transaction(force_rollback=True):
            for each in _CREATED_AGAIN[of.kind]:
                connection.execute(each.format(*names, definition=definition.rstrip("; \n")).encode())
            ((text,),) = connection.execute(shown.encode()).fetchall()
            return _plain(text)

    by_new = tried(watchdog, respelled, old)
    # a server may write what it then reads differently: NULL in UNION gets a type, and so a name
    return isinstance(by_new, str) and by_new in (_plain(new), tried(watchdog, respelled, new))


def _plain(text: str) -> str:
    return " ".join(text.split())
