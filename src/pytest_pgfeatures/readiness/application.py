"""Combine the inputs into the description of an application."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pytest_pgfeatures.behaviors.model import Behavior
from pytest_pgfeatures.behaviors.registry import declared_in_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.readiness.inputs.files import InputReading, SearchedText
from pytest_pgfeatures.readiness.inputs.programs import settings_of
from pytest_pgfeatures.readiness.inputs.source_code import literals_in_routines
from pytest_pgfeatures.readiness.inputs.sql_files import Loadable, dumped_from
from pytest_pgfeatures.readiness.inputs.table import INPUTS, InputOption
from pytest_pgfeatures.readiness.model import AccessLine, Input, Invocation, PassedOver, Query, SettingUse
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.secrets import secrets_in
from pytest_pgfeatures.readiness.statements.settings import search_path_of, settings_in
from pytest_pgfeatures.readiness.toml_files import GivenParameters
from pytest_pgfeatures.statistics.model import Statistics
from pytest_pgfeatures.version import as_release, read_version

T = TypeVar("T")
_INSERTING = re.compile(r"\s*+insert\s", re.IGNORECASE)
_LITERALS = frozenset({"source code", "expression"})  # the kinds of texts that may be statements or not
_SHOWN: dict[Input, type] = {"schema": Loadable, "queries": Query, "config": SettingUse}
"""The kinds of inputs that statistics or a live database may replace, by what they show."""


@dataclass(frozen=True, slots=True, repr=False)  # it has secrets
class Application:
    """An application, as its inputs show it; without servers, as they were read from files."""

    given: frozenset[Input] = frozenset()
    """If only a kind of input that was not given could show something, that is reported as not looked at."""
    queries: tuple[Query, ...] = ()
    """In the order of files and lines, with those of schema files, without those in function bodies, which
    :mod:`pytest_pgfeatures.readiness.statements.embedded` reads."""
    settings: tuple[SettingUse, ...] = ()
    hba: tuple[AccessLine, ...] = ()
    hba_in_scripts: tuple[AccessLine, ...] = ()  # that scripts write to pg_hba.conf; no server reads them
    ident: tuple[AccessLine, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    """By file, the texts of scripts, and psql's meta-commands in SQL files: words outside of calls, such as
    directories' names, are looked for there."""
    passed_over: tuple[PassedOver, ...] = ()
    schema: tuple[Loadable, ...] = ()
    data: tuple[Loadable, ...] = ()
    literals: tuple[Query, ...] = ()  # string literals of source code that may be statements
    commands: tuple[str, ...] = ()  # commands of --setup and --data-command
    behaviors: tuple[Behavior, ...] = ()
    search_path: str = ""  # the setting for the application's database or role; empty for the default
    secrets: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()  # inputs that could not be read, with the reason, one line each
    unread: tuple[tuple[Input, str], ...] = ()  # the problems of inputs that were named and not read
    parameters: GivenParameters = field(default_factory=GivenParameters)
    statistics: Statistics | None = None

    @property
    def loaded(self) -> tuple[Loadable, ...]:
        """All statements to load: the schema's, then the data's."""
        return self.schema + self.data

    def with_queries(self, queries: Iterable[Query], added: Sequence[Query]) -> Application:
        """The application with these queries, of which some are added: their settings count, too."""
        return replace(self, queries=tuple(queries), settings=(*self.settings, *settings_in(added)))


def read_inputs(options: ReadinessOptions, resolver: Callable[[], Resolver]) -> Application:
    """Read all inputs. One that can't be read is reported as a problem, and the others are still read."""
    has_schema = bool(options.schema or options.setup)
    reading = InputReading(resolver, timeout=options.timeout, has_schema=has_schema)
    found: dict[Input, list[Any]] = {row.kind: [] for row in INPUTS}
    rows = [row for row in INPUTS if row.given(options)]
    for row in rows:
        reading.kind = row.kind
        found[row.kind] += _read(row, options, reading)
        if row.kind in ("schema", "data"):
            files = {each.query.file for each in found[row.kind]}
            reading.loaded |= {Path(file).resolve() for file in files}
    unread = {kind for kind, _ in reading.unread}
    given = {row.kind for row in rows if not row.reader or found[row.kind] or row.kind not in unread}
    _check_dumps(options, reading.problems)

    def parts(of: type[T], *kinds: Input) -> list[T]:
        return [each for kind in kinds or found for each in found[kind] if isinstance(each, of)]

    given |= {kind for kind, of in _SHOWN.items() if parts(of, "statistics", "database")}
    data = parts(Loadable, "data")
    schema = parts(Loadable, "schema", "statistics", "database")
    # dumps have COPY, and migrations INSERT
    if any(each.data.strip() or _INSERTING.match(each.query.sql) for each in schema):
        given.add("data")
    queries = [*(each.query for each in schema), *parts(Query)]
    literals = [each for each in queries if each.kind in _LITERALS]
    known = [each for each in queries if each.kind not in _LITERALS]
    literals += literals_in_routines(known, reading.problems)
    configuration = parts(SettingUse, "config" if options.config else "database")
    invocations = parts(Invocation)
    texts = (
        *(query.sql for query in (*known, *literals, *(each.query for each in data))),
        *(each.written for each in parts(SearchedText)),
        *(use.text for use in configuration),
        *(*options.commands, options.run, options.database),
    )
    return Application(
        given=frozenset(given),
        queries=tuple(known),
        settings=(*configuration, *settings_in(known), *settings_of(invocations)),
        hba=tuple(parts(AccessLine, "hba")),
        hba_in_scripts=tuple(parts(AccessLine, "scripts")),
        ident=tuple(parts(AccessLine, "ident")),
        invocations=tuple(invocations),
        texts=tuple((each.file, each.text) for each in parts(SearchedText)),
        passed_over=reading.passed_over(),
        schema=tuple(schema),
        data=tuple(data),
        literals=tuple(literals),
        commands=options.commands,
        behaviors=declared_in_files(map(Path, options.behaviors)),
        search_path=options.search_path or search_path_of(known) or reading.search_path,
        secrets=frozenset().union(*map(secrets_in, texts)),
        problems=tuple(reading.problems),
        unread=tuple(reading.unread),
        parameters=GivenParameters.read(options.parameters),
        statistics=next(iter(parts(Statistics)), None),
    )


def _read(row: InputOption, options: ReadinessOptions, reading: InputReading) -> Iterator[Any]:
    """The parts that the values of an option give: of the application's model, and statements to load."""
    for each in row.given(options) if row.reader else ():
        try:
            yield from pkgutil.resolve_name(f"{__package__}.inputs.{row.reader}")(each, reading)
        except PgFeaturesError as error:
            said = f"{error.problem}: {error.remedy}" if error.remedy else error.problem
            reading.not_read(said if row.several else f"{row.flag}: {said}")


def _check_dumps(options: ReadinessOptions, problems: list[str]) -> None:
    """Report dumps of another major than ``--from``: they may use features that this major lacks."""
    olds = {major for part in parse_requests(options.old) for major in part.versions.majors()}
    for given in options.schema:
        version = dumped_from(given)
        if version and olds and as_release(read_version(version)).major not in olds:
            problems.append(
                f"{given} was dumped from {version}, but --from is {options.old}: servers of older versions refuse"
                f" what only {version} supports"
            )
