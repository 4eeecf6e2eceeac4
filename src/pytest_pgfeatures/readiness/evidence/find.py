"""Find which of the behaviors that break between two versions affect an application, and where.

Each gets one verdict: it affects the application, may affect it, does not, or was not looked at."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pytest_pgfeatures import affects
from pytest_pgfeatures.behaviors.model import Behavior
from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.evidence import inputs, statements
from pytest_pgfeatures.readiness.evidence.searched_inputs import Row, SearchedInputs, of_body
from pytest_pgfeatures.readiness.evidence.subjects import Hit, Subject, changed, hit_at, subjects_between
from pytest_pgfeatures.readiness.model import BehaviorVerdict, Finding, Input, Place, Query, VersionPair
from pytest_pgfeatures.readiness.servers.analyzed import Servers
from pytest_pgfeatures.readiness.statements.context import StatementContext
from pytest_pgfeatures.readiness.statements.reading import StatementReading

Asked = Callable[[Query], Iterable[str]]
Progress = Callable[[int, int], object]  # called with the number of finished statements, and of all
_CATALOGS = "the old server's catalogs"
_STATEMENTS: Set[Input] = {"schema", "queries"}
_SET_IN: Set[Input] = {"config", "scripts", *_STATEMENTS}
_OF_SETTINGS = ("VariableSetStmt", "VariableShowStmt", "setstmt", "FuncCall", "RangeVar")
"""The nodes of statements that set or read settings."""


@dataclass(frozen=True)
class Incompatibilities:
    """The changes between two versions, and all places that show one, those that do so certainly first."""

    subjects: tuple[Subject, ...]
    shown: tuple[tuple[Subject, Finding], ...]
    searched: SearchedInputs

    @functools.cached_property
    def findings(self) -> tuple[Finding, ...]:
        """One finding for each entry on a line or in an object, in the order of files and lines."""
        known: set[tuple[str, object]] = set()
        found: list[Finding] = []
        for subject, finding in self.shown:
            where = finding.place.where if finding.place else finding.object
            keys = {(item, where) for item in subject.items or (subject.id,)}
            if not keys <= known:
                known |= keys
                found.append(finding)
        return tuple(sorted(found, key=lambda one: one.place or Place("", 0)))

    def changed(self, change: Callable[[Finding], Finding | None]) -> Incompatibilities:
        """A copy with each finding replaced by another one, or left out."""
        found = ((subject, change(finding)) for subject, finding in self.shown)
        return replace(self, shown=tuple((subject, finding) for subject, finding in found if finding))

    def uncertain(self, why: Mapping[tuple[str, int], str]) -> Incompatibilities:
        """A copy in which what only the text of statements shows may affect the application: by file and line of
        these, why no server could be asked."""

        def by_text(finding: Finding) -> Finding:
            said = why.get((finding.place.file, finding.place.line)) if finding.place else None
            if not said or finding.certainty != "affects":
                return finding
            message = f"{finding.message} (by its text alone: {said})"
            return replace(finding, certainty="may affect", severity="warning", message=message)

        return self.changed(by_text)

    def verdicts(self, others: Mapping[str, str] = MappingProxyType({})) -> tuple[BehaviorVerdict, ...]:
        """One verdict for each behavior that breaks something, and for each release notes entry without a behavior,
        given the certainty of other stages' findings. If a behavior declares nothing, the others of its entry
        decide."""
        shown: dict[str, list[Finding]] = defaultdict(list)
        for subject, finding in self.shown:
            if finding.severity != "note":  # which says that a condition guards the place
                shown[subject.id].append(finding)

        def verdict(subject: Subject) -> BehaviorVerdict:
            of_subject = functools.partial(BehaviorVerdict, subject.id, subject.items, subject.title)
            kin = (one for one in self.subjects if one.affects and not {*one.items}.isdisjoint(subject.items))
            family = [subject] if subject.affects else [*kin]
            by_others = {others.get(one.id) for one in (subject, *family)}
            found = [finding for one in family for finding in shown[one.id]]
            places = {finding.place or finding.object for finding in found}
            if "affects" in by_others:
                return of_subject("affects", "another stage found it")
            if found:
                is_certain = any(finding.certainty == "affects" for finding in found)
                return of_subject("affects" if is_certain else "may affect", f"seen in {len(places)} places")
            if "may affect" in by_others:
                return of_subject("may affect", "another stage found it")
            return of_subject(*_looked_at([kind for one in family for kind in one.affects], self.searched))

        return tuple(map(verdict, self.subjects))


def _looked_at(
    kinds: Sequence[affects.EvidenceKind], searched: SearchedInputs
) -> tuple[Literal["does not", "not looked at"], str]:
    """Where evidence that no place shows was looked for, or why it was not."""
    wanted = dict(_SEARCHES[type(kind)][:2] for kind in kinds if type(kind) in _SEARCHES)
    if not wanted:
        reasons = (kind.reason for kind in kinds if isinstance(kind, affects.Unseen))
        return "not looked at", next(reasons, "no declaration says how it shows in an application")
    given = searched.application.given
    read = given if searched.count else given - _STATEMENTS
    of_catalogs = given if searched.rows is not None else frozenset()
    passed = [each for each in searched.application.passed_over if not each.suffix.endswith("/")]
    missing: list[str] = []
    looked: dict[str, None] = {}
    for where, options in wanted.items():
        if options.isdisjoint(of_catalogs if where == _CATALOGS else read):
            missing.append(f"{where} ({' or '.join(f'--{name}' for name in sorted(options))})")
            continue
        looked[f"{searched.count} {where}" if options == _STATEMENTS else where] = None
        if beside := sum(each.count for each in passed if each.option in options):
            looked[f"and not at {beside} files of the directories"] = None
    if missing:
        return "not looked at", f"not read: {', '.join(missing)}"
    return "does not", f"looked at {', '.join(looked)}"


class _Search(NamedTuple):
    """The search for evidence of a kind."""

    where: str
    inputs: Set[Input]  # of which at least one is needed
    in_statement: Callable[[Any, StatementContext], Iterable[int]] | None = None  # the tokens that match it
    elsewhere: Callable[[Any, SearchedInputs], Iterable[Hit]] = lambda _kind, _searched: ()


class Answers(NamedTuple):
    """The servers' answers about statements; by default, none."""

    names: Servers = Servers()
    refused: Callable[[Query], bool] = lambda _: False  # whether the old one refuses it, too: no evidence
    tried: Callable[[Asked], Iterable[tuple[Query, str, Row]]] = lambda _: ()
    """Runs the definitions among the queries on the old server, one by one, and after each one the catalog queries
    that a function returns for it; returns their rows."""
    same: Callable[[StatementContext, int | None], bool] = lambda _context, _at: False
    """Whether both servers return the same for the call at a token, or the statement, so that it is no evidence."""


_NO_ANSWERS = Answers()


def find(
    application: Application,
    pair: VersionPair,
    old_database: Callable[[str], Iterable[Row]] | None,  # runs a query, with the application's schema loaded
    behaviors: Iterable[Behavior] = (),  # the user's own, in addition to the atlas
    servers: Answers = _NO_ANSWERS,
    progress: Progress = lambda _done, _all: None,
) -> Incompatibilities:
    """Look for everything that breaks between two versions."""
    subjects = subjects_between(pair) + changed(pair, behaviors)
    kinds = [kind for subject in subjects for kind in subject.affects]
    conditions = [each for kind in kinds for each in (kind.present, *kind.absent) if each]
    kinds = [*{id(kind): kind for kind in (*conditions, *kinds)}.values()]
    searched = SearchedInputs(application, old_database, servers.names)
    hits, seen = _in_statements(kinds, searched, servers, progress)
    searched.catalogs = _rows_of_catalogs(kinds, searched, servers)
    for kind in kinds:
        if search := _SEARCHES.get(type(kind)):
            hits[id(kind)] += search.elsewhere(kind, searched)
            seen.update([id(kind)] if hits[id(kind)] else [])
        if (kind.present and id(kind.present) not in seen) or not seen.isdisjoint(map(id, kind.absent)):
            hits[id(kind)] = []
        elif kind.first:
            del hits[id(kind)][1:]
    found = ((subject, hit) for subject in subjects for kind in subject.affects for hit in hits[id(kind)])
    shown = [(subject, _finding(subject, hit)) for subject, hit in found]
    shown.sort(key=lambda one: one[1].certainty != "affects")
    return Incompatibilities(subjects, tuple(shown), searched)


def _in_statements(
    kinds: Sequence[affects.EvidenceKind], searched: SearchedInputs, servers: Answers, progress: Progress
) -> tuple[dict[int, list[Hit]], set[int]]:
    """The places in statements that match evidence, by its identity; and all evidence that statements show."""
    by_key: dict[str, list[affects.EvidenceKind]] = defaultdict(list)
    for kind in kinds:
        if type(kind) in _SEARCHES and _SEARCHES[type(kind)].in_statement:
            is_setting = isinstance(kind, affects.SettingUsed)
            for key in _OF_SETTINGS if is_setting else getattr(kind, "names", ("",)):
                by_key[key].append(kind)
    hits: dict[int, list[Hit]] = defaultdict(list)
    seen: set[int] = set()
    for context in searched.statements(progress):
        searched.count += 1
        keys = by_key.keys() & {"", *context.keys}
        for kind in {id(kind): kind for key in keys for kind in by_key[key]}.values():
            search = _SEARCHES[type(kind)].in_statement
            for at in search(kind, context) if search else ():
                seen.add(id(kind))
                call = None if "SelectStmt" in getattr(kind, "names", ()) else at
                if not servers.same(context, call) and not servers.refused(context.query):
                    condition = statements.condition_of(kind, context, at)
                    places = [(context.query, context.excerpt_index(statements.token_of(kind, context, at)))]
                    if "<path-function>" in getattr(kind, "fields", {}).values():
                        names = context.calls.keys() & searched.without_schema.keys()
                        places += map(searched.without_schema.__getitem__, sorted(names))
                    hits[id(kind)] += (hit_at(kind, *place, condition) for place in places)
        searched.in_part += ((context.query.place(at), why) for at, why in statements.not_read(context))
    return hits, seen


def _rows_of_catalogs(
    kinds: Iterable[affects.EvidenceKind], searched: SearchedInputs, servers: Answers
) -> Mapping[str, Mapping[Row, Query | None]]:
    """By catalog query: its rows, with the definition among the queries after which it returns them."""
    words: dict[str, set[str]] = defaultdict(set)
    for kind in kinds:
        if isinstance(kind, affects.CatalogQuery):
            words[kind.query].update(kind.at)

    def asked(query: Query) -> list[str]:
        named = StatementReading(query).positions.keys()
        return [sql for sql, some in words.items() if named & some]

    found = {sql: dict.fromkeys(searched.rows(sql) if searched.rows else ()) for sql in words}
    for query, sql, row in servers.tried(asked):
        found[sql].setdefault(row, query)
    return found


def _of_catalogs(kind: affects.CatalogQuery, searched: SearchedInputs) -> Iterator[Hit]:
    """The evidence of objects, at the words of the statements that create them."""
    for (name, *rest), query in searched.catalogs[kind.query].items():
        names = [str(word) for word in rest if word is not None]
        reading = StatementReading(query) if query else searched.definition(names, kind.at)
        if reading is None:
            yield Hit(kind.may, None, str(name), str(name))
        else:
            word = next((word for word in (*kind.at, *reversed(names)) if word in reading.positions), None)
            at = reading.positions[word][0] if word else 0
            behind = (each for each in reading.positions.get(names[-1], ()) if word in kind.at and each > at)
            index = reading.excerpt_index(next(behind, at))
            yield hit_at(kind, reading.query, index)._replace(object=str(name))


def _finding(subject: Subject, hit: Hit) -> Finding:
    return Finding(
        "incompatibilities", "warning" if hit.may or subject.is_default else "error",
        "may affect" if hit.may else "affects",
        f"{subject.title} ({hit.may})" if hit.may else subject.title, subject.remedy,
        items=subject.items, behavior=subject.behavior, place=hit.place, object=hit.object, excerpt=hit.excerpt,
        proof=subject.proof,
    )  # fmt: skip


_SEARCHES: Mapping[type[affects.EvidenceKind], _Search] = {
    affects.ParseNode: _Search("statements", _STATEMENTS, statements.of_node),
    affects.Call: _Search("statements", _STATEMENTS, statements.of_call),
    affects.Column: _Search("statements", _STATEMENTS, statements.of_column),
    affects.Constant: _Search("statements", _STATEMENTS, statements.of_constant),
    affects.Body: _Search("statements", _STATEMENTS, None, of_body),
    affects.SettingUsed: _Search("settings", _SET_IN, inputs.of_setting, inputs.of_setting_elsewhere),
    affects.Default: _Search("the configuration", {"config"}),
    affects.AccessRule: _Search("lines of pg_hba.conf", {"hba"}, None, inputs.of_access),
    affects.Identity: _Search("lines of pg_ident.conf", {"ident"}, None, inputs.of_identity),
    affects.ProgramCall: _Search("calls of programs", {"scripts"}, None, inputs.of_program),
    affects.ScriptText: _Search("scripts", {"scripts"}, None, inputs.of_text),
    affects.RefusedWith: _Search("what the servers refuse", _STATEMENTS),
    affects.CatalogQuery: _Search(_CATALOGS, {"schema"}, None, _of_catalogs),
}
