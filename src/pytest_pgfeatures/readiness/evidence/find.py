"""Find which of the behaviors that break between two versions affect an application, and where.

Each behavior gets one verdict: it affects the application, may affect it, does not, or was not looked at.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.affects import (
    AccessRule,
    Body,
    Call,
    CatalogQuery,
    Column,
    Constant,
    Default,
    Identity,
    ParseNode,
    ProgramCall,
    ScriptText,
    SettingUsed,
)
from pytest_pgfeatures.readiness.evidence.bodies import of_body
from pytest_pgfeatures.readiness.evidence.inputs import of_access, of_identity, of_program, of_text
from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs
from pytest_pgfeatures.readiness.evidence.settings import of_default, of_setting, of_setting_elsewhere
from pytest_pgfeatures.readiness.evidence.statements import SEARCHES
from pytest_pgfeatures.readiness.evidence.subjects import Hit, Subject, changed, hit_at, subjects_between
from pytest_pgfeatures.readiness.evidence.verdicts import Incompatibilities
from pytest_pgfeatures.readiness.model import Finding
from pytest_pgfeatures.readiness.servers.analyzed import NO_SERVERS, Servers
from pytest_pgfeatures.readiness.statements.reading import StatementReading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_pgfeatures.affects import EvidenceKind
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.readiness.model import Application, Query, VersionPair
    from pytest_pgfeatures.readiness.statements.context import StatementContext

    Row = tuple[object, ...]
    Wanted = list[tuple[Subject, EvidenceKind]]
    Asked = Callable[[Query], Iterable[str]]


_ELSEWHERE: Mapping[type, Callable[[Any, SearchedInputs], Iterable[Hit]]] = {
    Body: lambda kind, searched: of_body(kind, searched.bodies, searched.own),
    SettingUsed: of_setting_elsewhere,
    Default: of_default,
    AccessRule: lambda kind, searched: of_access(kind, searched.application),
    Identity: lambda kind, searched: of_identity(kind, searched.application),
    ProgramCall: lambda kind, searched: of_program(kind, searched.application),
    ScriptText: lambda kind, searched: of_text(kind, searched.application),
}
"""By kind of evidence: the search for it outside of statements."""


_SEARCHES: Mapping[type, Callable[[Any, StatementContext], Iterable[int]]] = {
    **SEARCHES,
    SettingUsed: of_setting,
}
_OF_SETTINGS = ("VariableSetStmt", "VariableShowStmt", "setstmt", "FuncCall", "RangeVar")


def find(
    application: Application,
    pair: VersionPair,
    old_database: Callable[[str], Iterable[tuple[object, ...]]] | None,
    behaviors: Iterable[Behavior] = (),
    refused: Callable[[Query], bool] = lambda _: False,
    servers: Servers = NO_SERVERS,
    progress: Callable[[int, int], object] = lambda _done, _all: None,
    tried: Callable[[Asked], Iterable[tuple[Query, str, Row]]] = lambda _: (),
    same: Callable[[StatementContext, int], bool] = lambda _context, _at: False,
) -> Incompatibilities:
    """Look for everything that breaks between two versions.

    Parameters:
        application: the inputs.
        pair: the versions.
        old_database: runs a query on the old server, with the application's schema loaded, and returns its rows;
            None if there is no such server.
        behaviors: the user's own behaviors, in addition to the atlas.
        refused: whether the old server refuses a statement as well, so that it is no evidence.
        servers: resolve the names in statements.
        progress: called with the numbers of statements looked at and of all.
        tried: runs the definitions among the queries on the old server, one by one, and after each one the catalog
            queries that a function returns for it; returns their rows.
        same: whether both servers return the same for the call at a token, so that it is no evidence.
    """
    subjects = subjects_between(pair) + changed(pair, behaviors)
    searched = SearchedInputs(application, pair, old_database, servers)
    hits: dict[str, list[Hit]] = defaultdict(list)
    _look_into_statements(subjects, searched, hits, refused, progress, same)
    for subject in subjects:
        for kind in subject.affects:
            if look := _ELSEWHERE.get(type(kind)):
                hits[subject.id] += look(kind, searched)
    _look_into_catalogs(subjects, searched, hits, tried)
    known: set[tuple[str, object]] = set()
    found: list[Finding] = []
    shown = [(_finding(subject, hit, pair), subject, hit) for subject in subjects for hit in hits[subject.id]]
    shown.sort(
        key=lambda one: one[0].certainty != "affects"
    )  # of one entry on one line, only certain evidence counts
    for finding, subject, hit in shown:
        line = hit.place and (hit.place.file, hit.place.line)
        keys: set[tuple[str, object]] = {
            (item, line or hit.object) for item in subject.items or (subject.id,)
        }
        if not keys <= known:
            known |= keys
            found.append(finding)
    found.sort(
        key=lambda one: (one.place.file, one.place.line, one.place.column) if one.place else ("", 0, 0)
    )
    return Incompatibilities(tuple(found), subjects, hits, searched)


def _by_key(subjects: Iterable[Subject]) -> Mapping[str, Wanted]:
    """The searches for the given changes, by name of a node, function, operator or column that a statement with
    evidence has; by an empty name, those in all statements."""
    found: dict[str, Wanted] = defaultdict(list)
    for subject in subjects:
        for kind in subject.affects:
            if type(kind) in _SEARCHES:
                names = kind.names if isinstance(kind, (ParseNode, Call, Column)) else ("",)
                for key in _OF_SETTINGS if isinstance(kind, SettingUsed) else names:
                    found[key].append((subject, kind))
    return found


def _look_into_statements(
    subjects: tuple[Subject, ...],
    searched: SearchedInputs,
    hits: dict[str, list[Hit]],
    refused: Callable[[Query], bool],
    progress: Callable[[int, int], object],
    same: Callable[[StatementContext, int], bool],
) -> None:
    by_key = _by_key(subjects)
    for context in searched.statements(progress):
        searched.count += 1
        query = context.reading.query
        keys = by_key.keys() & {"", *context.tree.keys}
        candidates = {(each[0].id, id(each[1])): each for key in keys for each in by_key[key]}
        for subject, kind in candidates.values():
            search = _SEARCHES[type(kind)]
            found = [at for at in search(kind, context) if not (isinstance(kind, Call) and same(context, at))]
            if found and not refused(query):
                hits[subject.id] += (_of_token(kind, context.reading, at) for at in found)
        if context.tree.is_too_deep:
            searched.too_deep.append(query.place(0))
    for subject in subjects:
        _of_the_whole(subject, searched, hits[subject.id])


def _of_the_whole(subject: Subject, searched: SearchedInputs, found: list[Hit]) -> None:
    """Drop the evidence whose conditions on the application's other statements don't hold."""
    for kind in subject.affects:
        mine = [hit for hit in found if hit.kind is kind]
        if mine and isinstance(kind, (ParseNode, Constant)):
            there = kind.present is None or searched.shows(kind.present)
            if isinstance(kind, ParseNode):
                there = there and not any(map(searched.shows, kind.absent))
                mine = mine[:1] if kind.first else mine
            found[:] = [hit for hit in found if hit.kind is not kind] + (mine if there else [])


def _of_token(kind: EvidenceKind, reading: StatementReading, at: int) -> Hit:
    return hit_at(kind, reading.query, reading.excerpt_index(at))


def _look_into_catalogs(
    subjects: tuple[Subject, ...],
    searched: SearchedInputs,
    hits: dict[str, list[Hit]],
    tried: Callable[[Asked], Iterable[tuple[Query, str, Row]]],
) -> None:
    wanted: dict[str, list[tuple[Subject, CatalogQuery]]] = defaultdict(list)
    for subject in subjects:
        for kind in subject.affects:
            if isinstance(kind, CatalogQuery):
                wanted[kind.query].append((subject, kind))
    known: dict[str, set[Row]] = defaultdict(set)

    def note(sql: str, row: Row, query: Query | None = None) -> None:
        if row in known[sql]:
            return
        known[sql].add(row)
        for subject, kind in wanted[sql]:
            names = [str(word) for word in row[1:] if word is not None]
            reading = StatementReading(query) if query else searched.definition(names, kind.at)
            hits[subject.id].append(_of_object(kind, reading, str(row[0]), names))

    def asked(query: Query) -> list[str]:
        words = StatementReading(query).positions.keys()
        return [sql for sql, some in wanted.items() if any(words & {*kind.at} for _, kind in some)]

    if searched.rows is not None:
        for sql in wanted:
            for row in searched.rows(sql):
                note(sql, row)
    for query, sql, row in tried(asked):
        note(sql, row, query)


def _of_object(kind: CatalogQuery, reading: StatementReading | None, name: str, names: list[str]) -> Hit:
    """The evidence of an object, at the words of the statement that creates it."""
    if reading is None:
        return Hit(kind, None, name, name)
    word = next((word for word in (*kind.at, *reversed(names)) if word in reading.positions), None)
    hit = _of_token(kind, reading, reading.positions[word][0] if word else 0)
    return hit._replace(object=name)


def _finding(subject: Subject, hit: Hit, pair: VersionPair) -> Finding:
    may = hit.kind.may
    message = f"{subject.title} ({may})" if may else subject.title
    return Finding(
        stage="incompatibilities",
        severity="error" if not may and not subject.is_default else "warning",
        certainty="may affect" if may else "affects",
        message=message,
        remedy=subject.remedy,
        items=subject.items,
        behavior=subject.id if "/" in subject.id else None,
        place=hit.place,
        object=hit.object,
        excerpt=hit.excerpt,
        proof=subject.proof,
    )
