"""Which behaviors that break between two versions concern an application, and where.

Each behavior gets one verdict: it affects the application, it may, it does not, or it was not looked at.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pgfeatures.affects import (
    Access,
    Body,
    Call,
    Catalog,
    Column,
    Default,
    Identity,
    Operator,
    Program,
    Relation,
    ScriptText,
    Setting,
    Sql,
    TypeName,
    Unseen,
)
from pytest_pgfeatures.behaviors.delta import Group, delta
from pytest_pgfeatures.behaviors.release_note import major_of
from pytest_pgfeatures.readiness.body_evidence import OfBody
from pytest_pgfeatures.readiness.embedded import body_of, embedded, routine_name
from pytest_pgfeatures.readiness.input_evidence import (
    access_lines,
    calls_of,
    identity_lines,
    lines_of_code,
    text_lines,
)
from pytest_pgfeatures.readiness.model import Finding, Place
from pytest_pgfeatures.readiness.names import Names
from pytest_pgfeatures.readiness.patterns import Pattern
from pytest_pgfeatures.readiness.reading import Reading
from pytest_pgfeatures.readiness.setting_evidence import OfSetting, Use, uses_in, uses_of_inputs
from pytest_pgfeatures.readiness.statement_evidence import Context, Matcher, matcher, names_without_schema
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pytest_pgfeatures.affects import Evidence
    from pytest_pgfeatures.readiness.model import Application, Input, Query, VersionPair

Rows = "Callable[[str], Iterable[tuple[object, ...]]]"

_STATEMENTS: frozenset[Input] = frozenset({"schema", "queries"})
_LOOKED_AT: Mapping[type, tuple[str, frozenset[Input]]] = {
    **dict.fromkeys((Sql, Call, Column, Relation, TypeName, Operator, Body), ("statements", _STATEMENTS)),
    Setting: ("settings", frozenset({"config", "schema", "queries", "scripts"})),
    Default: ("the configuration", frozenset({"config"})),
    Access: ("lines of pg_hba.conf", frozenset({"hba"})),
    Identity: ("lines of pg_ident.conf", frozenset({"ident"})),
    Program: ("calls of programs", frozenset({"scripts"})),
    ScriptText: ("scripts", frozenset({"scripts"})),
    Catalog: ("the old server's catalogs", frozenset({"schema"})),
}
"""By kind of evidence: what is looked at, and the inputs of which one shows it."""
_OPTIONS: Mapping[str, str] = {
    "schema": "--schema",
    "queries": "--queries",
    "config": "--config",
    "hba": "--hba",
    "ident": "--ident",
    "scripts": "--scripts",
    "data": "--data",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one behavior and the application.

    Parameters:
        subject: the behavior's id; the release note's key where no behavior observes it.
        items: keys of entries of the release notes.
        title: what changed, in a line.
        answer: one of four.
        reason: what was looked at, or which input is missing, or why no input shows it.
    """

    subject: str
    items: tuple[str, ...]
    title: str
    answer: Literal["affects", "may affect", "does not", "not looked at"]
    reason: str


@dataclass(frozen=True, slots=True)
class Incompatibilities:
    """What the stage found.

    Parameters:
        findings: each cause once, in the order of files and lines.
        verdicts: one for each behavior that breaks, and for each entry of the release notes that no behavior observes.
    """

    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts there are of each of the four kinds."""
        answers = ("affects", "may affect", "does not", "not looked at")
        return {answer: sum(verdict.answer == answer for verdict in self.verdicts) for answer in answers}


class Subject(NamedTuple):
    """Something that changed: a behavior, or an entry of the release notes that no behavior observes."""

    id: str
    items: tuple[str, ...]
    title: str
    remedy: str
    is_default: bool
    affects: tuple[Evidence, ...]


class _Looking(NamedTuple):
    """A piece of evidence in statements, of a subject."""

    subject: Subject
    kind: Evidence
    matcher: Matcher


class _Hit(NamedTuple):
    kind: Evidence
    place: Place | None
    excerpt: str
    object: str | None = None


def find(
    application: Application,
    pair: VersionPair,
    old_database: Callable[[str], Iterable[tuple[object, ...]]] | None,
    findings: Iterable[Finding] = (),
) -> Incompatibilities:
    """Look for everything that breaks between two versions.

    Parameters:
        application: the inputs.
        pair: the versions.
        old_database: runs a query on the old server, where the application's schema is loaded, and returns its rows;
            None if there is no such server.
        findings: of the other stages; a behavior that explains one affects the application.
    """
    subjects = subjects_between(pair)
    seen = _Seen(application, pair, old_database)
    hits: dict[str, list[_Hit]] = defaultdict(list)
    _look_into_statements(subjects, seen, hits)
    _look_into_settings(subjects, seen, hits)
    _look_elsewhere(subjects, seen, hits)
    known: set[tuple[str, object]] = set()
    found: list[Finding] = []
    for subject in subjects:
        for hit in hits[subject.id]:
            line = hit.place and (hit.place.file, hit.place.line)
            keys: set[tuple[str, object]] = {
                (item, line or hit.object) for item in subject.items or (subject.id,)
            }
            if not keys <= known:
                known |= keys
                found.append(_finding(subject, hit, pair))
    found.sort(
        key=lambda one: (one.place.file, one.place.line, one.place.column) if one.place else ("", 0, 0)
    )
    explained = {finding.behavior for finding in findings if finding.behavior}
    return Incompatibilities(tuple(found), _verdicts(subjects, hits, explained, seen))


@functools.cache
def subjects_between(pair: VersionPair) -> tuple[Subject, ...]:
    """What breaks, and the defaults that change, between two versions."""
    from pytest_pgfeatures.atlas.release_notes import ENTRIES
    from pytest_pgfeatures.atlas.without_behavior import WITHOUT_BEHAVIOR
    from pytest_pgfeatures.behaviors.registry import atlas

    changes = delta(pair.old, pair.new, atlas().values())
    found = [
        Subject(
            change.behavior.id,
            change.behavior.release_note,
            change.behavior.title,
            change.behavior.remedy or "",
            change.group is not Group.BREAKS,
            change.behavior.affects,
        )
        for change in changes
        if change.group in (Group.BREAKS, Group.DEFAULT) or change.behavior.affects
    ]
    for key, reason in WITHOUT_BEHAVIOR.items():
        brought = VersionSet(f">={major_of(key)}")
        if pair.old not in brought and pair.new in brought:
            found.append(Subject(key, (key,), ENTRIES[key], "", False, reason.affects))
    return tuple(found)


class _Seen:
    """The inputs, read once."""

    def __init__(
        self,
        application: Application,
        pair: VersionPair,
        rows: Callable[[str], Iterable[tuple[object, ...]]] | None,
    ) -> None:
        self.application = application
        self.pair = pair
        self.rows = rows
        self.own = Names()
        self.count = 0
        self.bodies: list[Query] = []
        if rows is not None:
            self.own.read_catalogs(rows)
        for query in application.queries:
            if query.sql.lstrip()[:6].lower() in ("create", "alter "):
                self.own.read_statement(Reading(query))
        self._find_path_functions()

    def _find_path_functions(self) -> None:
        """Functions whose bodies name own objects without a schema."""
        for query in self.application.queries:
            name = routine_name(query)
            if name is None:
                continue
            reading = Reading(query)
            if reading.keyword(0) == "create" and "search_path" not in reading.positions:
                for inner in embedded(query):
                    if names_without_schema(Context(Reading(inner), self.own)):
                        self.own.path_functions.add(name)

    def statements(self) -> Iterator[Context]:
        """All statements, those in bodies, too."""
        for query in self.application.queries:
            for each in (query, *embedded(query)):
                self.count += 1
                yield Context(Reading(each, self.pair.old), self.own)

    def matches(self, pattern: str) -> bool:
        """Whether some statement of the application matches a pattern."""
        looking = Pattern(pattern)
        return any(looking.matches(context.reading) for context in self.statements())

    @functools.cached_property
    def _definitions(self) -> list[Reading]:
        readings = (Reading(query) for query in self.application.queries if query.kind == "schema")
        return [reading for reading in readings if reading.keyword(0) in ("create", "alter")]

    def defined(self, name: str, *words: str) -> Place | None:
        """Where the schema's files have a name in a definition, with one of some words, or by itself."""
        for word in (*words, name):
            for reading in self._definitions:
                if name in reading.positions and word in reading.positions:
                    return reading.query.place(reading.tokens[reading.positions[word][0]].start)
        return None


class _Matchers(NamedTuple):
    """What looks for the evidence in statements.

    Parameters:
        index: by a word of which a statement has one.
        always: for all statements.
        settings: by name.
    """

    index: Mapping[str, list[_Looking]]
    always: list[_Looking]
    settings: Mapping[str, list[tuple[Subject, OfSetting]]]
    bodies: list[tuple[Subject, Body, OfBody]]


@functools.cache
def _matchers(pair: VersionPair) -> _Matchers:
    """What looks for the changes between two versions."""
    index: dict[str, list[_Looking]] = defaultdict(list)
    settings: dict[str, list[tuple[Subject, OfSetting]]] = defaultdict(list)
    found = _Matchers(index, [], settings, [])
    for subject in subjects_between(pair):
        for kind in subject.affects:
            if isinstance(kind, Setting):
                of_setting = OfSetting(kind)
                for name in of_setting.names:
                    settings[name].append((subject, of_setting))
            elif isinstance(kind, Body):
                found.bodies.append((subject, kind, OfBody(kind)))
            elif (looking := matcher(kind)) is not None:
                for word in looking.words:
                    index[word].append(_Looking(subject, kind, looking))
                if not looking.words:
                    found.always.append(_Looking(subject, kind, looking))
    return found


def _look_into_statements(subjects: tuple[Subject, ...], seen: _Seen, hits: dict[str, list[_Hit]]) -> None:
    index, always, settings, bodies = _matchers(seen.pair)
    for query in seen.application.queries if bodies else ():
        if (body := body_of(query)) is not None:
            for subject, kind, of_body in bodies:
                for place in of_body(body, routine_name(query) or "", seen.own):
                    hits[subject.id].append(_at_index(kind, body, place))
    for context in seen.statements():
        reading = context.reading
        candidates = list(always)
        for word in reading.positions.keys() & index.keys():
            candidates += index[word]
        done: set[int] = set()
        for subject, kind, looking in candidates:
            if id(looking) not in done:
                done.add(id(looking))
                for at in looking(context):
                    hits[subject.id].append(_of_token(kind, reading, at))
        for name, value, where, at in uses_in(reading):
            for subject, of_setting in (*settings.get(name, ()), *settings.get("*", ())):
                if of_setting.matches(name, value, where):
                    hits[subject.id].append(_of_token(of_setting.kind, reading, at))
    for subject in subjects:
        _of_the_whole(subject, seen, hits[subject.id])


def _of_the_whole(subject: Subject, seen: _Seen, found: list[_Hit]) -> None:
    """Drop what only counts beside other statements that the application does not have, or has."""
    for kind in subject.affects:
        if not isinstance(kind, Sql) or not any(hit.kind is kind for hit in found):
            continue
        there = kind.present is None or seen.matches(kind.present)
        ruled_out = kind.absent is not None and seen.matches(kind.absent)
        mine = [hit for hit in found if hit.kind is kind]
        kept = mine[:1] if kind.first else mine
        found[:] = [hit for hit in found if hit.kind is not kind] + (kept if there and not ruled_out else [])


def _of_token(kind: Evidence, reading: Reading, at: int) -> _Hit:
    return _at_index(kind, reading.query, reading.excerpt_index(at))


def _at_index(kind: Evidence, query: Query, index: int) -> _Hit:
    begin = query.sql.rfind("\n", 0, index) + 1
    end = query.sql.find("\n", index)
    return _Hit(kind, query.place(index), query.sql[begin : end if end >= 0 else None].strip(), query.inside)


def _look_into_settings(subjects: tuple[Subject, ...], seen: _Seen, hits: dict[str, list[_Hit]]) -> None:
    uses = list(uses_of_inputs(seen.application))
    by_name: dict[str, list[Use]] = defaultdict(list)
    for use in uses:
        by_name[use.name].append(use)
    files = [use.place.file for use in uses if use.where == "file"]
    system = {
        name
        for query in seen.application.queries
        if query.sql.lstrip()[:5].lower() == "alter" and "system" in query.sql[:40].lower()
        for name, value, where, _ in uses_in(Reading(query))
        if where == "system" and value is not None
    }
    present = frozenset(use.name for use in uses if use.value)
    scripts = [
        (file, number, line) for file, text in seen.application.texts for number, line in lines_of_code(text)
    ]
    for subject in subjects:
        for kind in subject.affects:
            if isinstance(kind, Setting):
                looking = OfSetting(kind, present)
                for name in by_name if kind.like else kind.names:
                    for use in by_name.get(name, ()):
                        if looking.matches(name, use.value, use.where):
                            hits[subject.id].append(_Hit(kind, use.place, use.text))
                hits[subject.id] += (
                    _Hit(kind, Place(file, number, at + 1), line.strip())
                    for file, number, line in scripts
                    if (at := looking.in_text(line)) is not None
                )
            elif isinstance(kind, Default) and "config" in seen.application.given:
                at_all = not kind.given or any(name in by_name for name in kind.given)
                set_in_file = any(use.where == "file" for use in by_name.get(kind.name, ()))
                if at_all and not set_in_file and kind.name not in system:
                    place = Place(files[0], 1) if files else None
                    hits[subject.id].append(_Hit(kind, place, f"# {kind.name} is not set", kind.name))


def _look_elsewhere(subjects: tuple[Subject, ...], seen: _Seen, hits: dict[str, list[_Hit]]) -> None:
    application = seen.application
    for subject in subjects:
        found = hits[subject.id]
        for kind in subject.affects:
            match kind:
                case Access():
                    found += (
                        _Hit(kind, line.place, line.text) for line in access_lines(kind, application.hba)
                    )
                case Identity():
                    found += (
                        _Hit(kind, line.place, line.text) for line in identity_lines(kind, application.ident)
                    )
                case Program():
                    found += (
                        _Hit(kind, word.place, call.text)
                        for call, word in calls_of(kind, application.invocations)
                    )
                case ScriptText():
                    found += (_Hit(kind, place, text) for place, text in text_lines(kind, application))
                case Catalog():
                    found += _of_catalog(kind, seen)


def _of_catalog(kind: Catalog, seen: _Seen) -> Iterator[_Hit]:
    if seen.rows is None:
        return
    for row in seen.rows(kind.query):
        words = [str(word) for word in row[1:] if word is not None]
        yield _Hit(kind, seen.defined(*words) if words else None, str(row[0]), str(row[0]))


def _finding(subject: Subject, hit: _Hit, pair: VersionPair) -> Finding:
    may = getattr(hit.kind, "may", None)
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
        proof=f"pgfeatures verify {subject.id} --pg {pair.old.major},{pair.new.major}"
        if "/" in subject.id
        else "",
    )


def _verdicts(
    subjects: tuple[Subject, ...],
    hits: Mapping[str, list[_Hit]],
    by_others: set[str],
    seen: _Seen,
) -> tuple[Verdict, ...]:
    kin: dict[str, list[Subject]] = defaultdict(list)
    for subject in subjects:
        for item in subject.items:
            kin[item].append(subject)
    return tuple(_verdict(subject, kin, hits, by_others, seen) for subject in subjects)


def _verdict(
    subject: Subject,
    kin: Mapping[str, list[Subject]],
    hits: Mapping[str, list[_Hit]],
    by_others: set[str],
    seen: _Seen,
) -> Verdict:
    """The verdict on a behavior. One that declares nothing goes with the others of its entry."""
    family = (
        [subject] if subject.affects else [one for item in subject.items for one in kin[item] if one.affects]
    )
    found = [hit for one in family for hit in hits.get(one.id, ())]
    verdict = functools.partial(Verdict, subject.id, subject.items, subject.title)
    if any(one.id in by_others for one in family):
        return verdict("affects", "another stage saw it")
    certain = [hit for hit in found if getattr(hit.kind, "may", None) is None]
    if found:
        return verdict("affects" if certain else "may affect", f"seen in {len(found)} places")
    kinds = [kind for one in family for kind in one.affects]
    unseen = [kind.reason for kind in kinds if isinstance(kind, Unseen)]
    kinds = [kind for kind in kinds if type(kind) in _LOOKED_AT]
    if not kinds:
        return verdict(
            "not looked at", unseen[0] if unseen else "nothing says how it shows in an application"
        )
    missing: dict[str, frozenset[Input]] = {}
    looked: dict[str, None] = {}
    for kind in kinds:
        what, inputs = _LOOKED_AT[type(kind)]
        if inputs.isdisjoint(seen.application.given) or (isinstance(kind, Catalog) and seen.rows is None):
            missing[what] = inputs
        else:
            looked[f"{seen.count} {what}" if inputs == _STATEMENTS else what] = None
    if missing:
        wanted = ", ".join(
            f"{what} ({' or '.join(_OPTIONS[name] for name in sorted(inputs))})"
            for what, inputs in missing.items()
        )
        return verdict("not looked at", f"not given: {wanted}")
    return verdict("does not", f"looked at {', '.join(looked)}")
