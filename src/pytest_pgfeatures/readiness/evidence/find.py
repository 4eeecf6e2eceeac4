"""Find which of the behaviors that break between two versions affect an application, and where.

Each behavior gets one verdict: it affects the application, may affect it, does not, or was not looked at.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass, replace
from types import MappingProxyType
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
    RefusedWith,
    ScriptText,
    SettingUsed,
    Unseen,
)
from pytest_pgfeatures.readiness.evidence.inputs import of_access, of_identity, of_program, of_text
from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs, of_body
from pytest_pgfeatures.readiness.evidence.settings import of_default, of_setting, of_setting_elsewhere
from pytest_pgfeatures.readiness.evidence.statements import SEARCHES
from pytest_pgfeatures.readiness.evidence.subjects import Hit, Subject, changed, hit_at, subjects_between
from pytest_pgfeatures.readiness.model import BehaviorVerdict, Finding
from pytest_pgfeatures.readiness.servers.analyzed import NO_SERVERS, Servers
from pytest_pgfeatures.readiness.statements.reading import StatementReading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_pgfeatures.affects import EvidenceKind
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.readiness.model import Application, Certainty, Input, Query, VersionPair
    from pytest_pgfeatures.readiness.statements.context import StatementContext

    Row = tuple[object, ...]
    Wanted = list[tuple[Subject, EvidenceKind]]
    Asked = Callable[[Query], Iterable[str]]

_STATEMENTS: frozenset[Input] = frozenset({"schema", "queries"})
_LOOKED_AT: Mapping[type, tuple[str, frozenset[Input]]] = {
    **dict.fromkeys((ParseNode, Call, Column, Constant, Body), ("statements", _STATEMENTS)),
    SettingUsed: ("settings", frozenset({"config", "schema", "queries", "scripts"})),
    Default: ("the configuration", frozenset({"config"})),
    AccessRule: ("lines of pg_hba.conf", frozenset({"hba"})),
    Identity: ("lines of pg_ident.conf", frozenset({"ident"})),
    ProgramCall: ("calls of programs", frozenset({"scripts"})),
    ScriptText: ("scripts", frozenset({"scripts"})),
    RefusedWith: ("what the servers refuse", _STATEMENTS),
    CatalogQuery: ("the old server's catalogs", frozenset({"schema"})),
}
"""By kind of evidence: where it is searched for, and the kinds of inputs of which at least one is needed."""


@dataclass(frozen=True)
class Incompatibilities:
    """The changes between two versions that the inputs show.

    Parameters:
        findings: the findings, one for each cause, in the order of files and lines.
        subjects: the changes.
        hits: by the id of a change, the places that show it.
        searched: the inputs.
    """

    findings: tuple[Finding, ...]
    subjects: tuple[Subject, ...]
    hits: Mapping[str, list[Hit]]
    searched: SearchedInputs

    def without(
        self, is_excluded: Callable[[Hit], bool], marked: Callable[[Iterable[Finding]], Iterable[Finding]]
    ) -> Incompatibilities:
        """A copy without the places that are no evidence. Their findings are replaced by marked ones."""
        hits = {name: [hit for hit in found if not is_excluded(hit)] for name, found in self.hits.items()}
        return replace(self, findings=tuple(marked(self.findings)), hits=hits)

    def uncertain(self, why: Mapping[tuple[str, int], str]) -> Incompatibilities:
        """A copy in which what only the text of some statements shows may affect the application.

        Parameters:
            why: by file and line, why no server could be asked.
        """

        def reason(one: Hit | Finding) -> str | None:
            return why.get((one.place.file, one.place.line)) if one.place else None

        hits = {
            name: [hit._replace(asked=hit.asked and reason(hit) is None) for hit in found]
            for name, found in self.hits.items()
        }
        findings = (
            replace(
                each,
                certainty="may affect",
                severity="warning",
                message=f"{each.message} (by its text alone: {said})",
            )
            if each.certainty == "affects" and (said := reason(each))
            else each
            for each in self.findings
        )
        return replace(self, findings=tuple(findings), hits=hits)

    def verdicts(self, others: Mapping[str, Certainty] = MappingProxyType({})) -> tuple[BehaviorVerdict, ...]:
        """One verdict for each behavior that breaks something, and for each release notes entry without a behavior.

        Parameters:
            others: by behavior or entry, the certainty of the other stages' findings.
        """
        kin: dict[str, list[Subject]] = defaultdict(list)
        for subject in self.subjects:
            for item in subject.items:
                kin[item].append(subject)
        return tuple(_verdict(subject, kin, self.hits, others, self.searched) for subject in self.subjects)


def _verdict(
    subject: Subject,
    kin: Mapping[str, list[Subject]],
    hits: Mapping[str, list[Hit]],
    others: Mapping[str, Certainty],
    searched: SearchedInputs,
) -> BehaviorVerdict:
    """The verdict on a behavior. If it declares nothing, the other behaviors of its entry decide."""
    family = (
        [subject] if subject.affects else [one for item in subject.items for one in kin[item] if one.affects]
    )
    found = [hit for one in family for hit in hits.get(one.id, ())]
    verdict = functools.partial(BehaviorVerdict, subject.id, subject.items, subject.title)
    by_others = {others[one.id] for one in (subject, *family) if one.id in others}
    if "affects" in by_others:
        return verdict("affects", "another stage found it")
    certain = [hit for hit in found if hit.asked and hit.kind.may is None]
    if found:
        return verdict("affects" if certain else "may affect", f"seen in {len(found)} places")
    if by_others:
        return verdict("may affect", "another stage found it")
    kinds = [kind for one in family for kind in one.affects]
    unseen = [kind.reason for kind in kinds if isinstance(kind, Unseen)]
    kinds = [kind for kind in kinds if type(kind) in _LOOKED_AT]
    if not kinds:
        return verdict(
            "not looked at", unseen[0] if unseen else "no declaration says how it shows in an application"
        )
    given = searched.application.given
    read = given if searched.count else given - _STATEMENTS
    passed = [each for each in searched.application.passed_over if not each.suffix.endswith("/")]
    missing: dict[str, frozenset[Input]] = {}
    looked: dict[str, None] = {}
    for kind in kinds:
        what, inputs = _LOOKED_AT[type(kind)]
        if isinstance(kind, CatalogQuery):
            looks = searched.rows is not None and not inputs.isdisjoint(given)
        else:
            looks = not inputs.isdisjoint(read)
        if not looks:
            missing[what] = inputs
        else:
            looked[f"{searched.count} {what}" if inputs == _STATEMENTS else what] = None
            beside = sum(each.count for each in passed if each.option in inputs)
            looked |= {f"and not at {beside} files of the directories": None} if beside else {}
    if missing:
        wanted = ", ".join(
            f"{what} ({' or '.join(f'--{name}' for name in sorted(inputs))})"
            for what, inputs in missing.items()
        )
        return verdict("not looked at", f"not read: {wanted}")
    return verdict("does not", f"looked at {', '.join(looked)}")


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
