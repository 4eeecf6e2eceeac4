"""Combine the inputs into the description of an application."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.behaviors.registry import declared_in_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.access import access_in_script, read_access
from pytest_pgfeatures.readiness.inputs.configuration import read_configuration
from pytest_pgfeatures.readiness.inputs.parameters import GivenParameters
from pytest_pgfeatures.readiness.inputs.production import Production, read_production
from pytest_pgfeatures.readiness.inputs.programs import read_scripts, settings_of
from pytest_pgfeatures.readiness.inputs.queries import read_queries
from pytest_pgfeatures.readiness.inputs.schema import dumped_from, read_schema
from pytest_pgfeatures.readiness.inputs.source_code import literals_in_routines
from pytest_pgfeatures.readiness.model import Application, Problems
from pytest_pgfeatures.readiness.secrets import secrets_in
from pytest_pgfeatures.readiness.statements.settings import search_path_of, settings_in
from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.readiness.model import Input, Query
    from pytest_pgfeatures.readiness.options import ReadinessOptions

_INSERTING = re.compile(r"\s*+insert\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Inputs:
    """An application's files as they were read, before any server is involved.

    Parameters:
        application: the whole application except for ``literals``.
        schema: the schema's statements to load, with the data of COPY.
        data: the data's statements to load, with the data of COPY.
        literals: string literals of source code that may be statements.
        commands: commands of ``--setup`` and ``--data``.
        behaviors: the user's own behaviors.
        search_path: the setting for the application's database or role; empty for the default.
        secrets: the passwords in the files.
        production: the facts about the production database.
        problems: inputs that could not be read, with the reason, one line each.
        unread: the problems of inputs that were named and not read, each with its kind.
        parameters: values for the parameters of statements.
    """

    application: Application
    schema: tuple[Loadable, ...] = field(default=(), repr=False)
    data: tuple[Loadable, ...] = field(default=(), repr=False)
    literals: tuple[Query, ...] = field(default=(), repr=False)
    commands: tuple[str, ...] = ()
    behaviors: tuple[Behavior, ...] = field(default=(), repr=False)
    search_path: str = ""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    problems: tuple[str, ...] = ()
    unread: tuple[tuple[Input, str], ...] = ()
    parameters: GivenParameters = field(default_factory=GivenParameters)
    production: Production = field(default_factory=Production, repr=False)

    @property
    def loaded(self) -> tuple[Loadable, ...]:
        """All statements to load: the schema's, then the data's."""
        return self.schema + self.data

    @property
    def loads(self) -> bool:
        """Whether there is something to load into the servers."""
        return bool(self.schema or self.data or self.commands)

    def with_statements(self, definitions: Sequence[Query]) -> Inputs:
        """The inputs, with definitions that no file has."""
        application = replace(
            self.application,
            queries=(*definitions, *self.application.queries),
            settings=(*self.application.settings, *settings_in(definitions)),
        )
        literals = (*self.literals, *literals_in_routines(definitions, Problems()))
        return replace(self, application=application, literals=literals) if definitions else self

    def with_literals(self, queries: Sequence[Query], accepted: Sequence[Query]) -> Application:
        """The application with these queries, plus the literals that a server accepts as statements."""
        application = self.application
        return replace(
            application,
            queries=(*queries, *accepted),
            settings=(*application.settings, *settings_in(accepted)),
        )


def read_inputs(options: ReadinessOptions, resolver: Callable[[], Resolver]) -> Inputs:
    """Read all inputs. An input that can't be read is reported as a problem, and the others are still read.

    Raises:
        PgFeaturesError: there is no input, or a named file does not exist.
    """
    problems = Problems()
    production = read_production(options, resolver, problems)
    variables: dict[str, str] = {}
    read: dict[Input, Callable[[str], Iterator[Any]]] = {
        "schema": lambda given: read_schema(given, resolver, "schema", problems, variables),
        "data": lambda given: read_schema(given, resolver, "data", problems),
        "config": lambda given: read_configuration(given, problems),
        "hba": lambda given: read_access(given, "--hba"),
        "ident": lambda given: read_access(given, "--ident"),
    }
    found = {kind: _all(getattr(options, kind), reader, problems, kind) for kind, reader in read.items()}
    schema = [*found["schema"], *production.schema]
    data = found["data"]
    loaded = {Path(file).resolve() for file in {each.query.file for each in (*schema, *data)}}
    queries, literals, meta_commands = read_queries(options.queries, resolver, problems, loaded)
    queries += production.queries
    configuration = found["config"] + ([] if options.config else [*production.settings])
    scripts = read_scripts(options.scripts, problems)
    _check_dumps(options, problems)
    statements = [each.query for each in schema]
    known = [*statements, *queries, *scripts.queries]
    literals += literals_in_routines(known, problems)
    files = {
        "config": configuration, "hba": found["hba"], "ident": found["ident"], "scripts": scripts.texts,
    }  # fmt: skip
    unread = {kind for kind, _ in problems.unread if kind in files and not files[kind]}
    application = Application(
        given=(options.given - unread)
        | production.given
        | ({"data"} if any(map(_has_rows, schema)) else set()),
        queries=tuple(known),
        settings=(*configuration, *settings_in(known), *settings_of(scripts.invocations)),
        hba=tuple(found["hba"]),
        hba_in_scripts=tuple(line for name, text in scripts.texts for line in access_in_script(name, text)),
        ident=tuple(found["ident"]),
        invocations=tuple(scripts.invocations),
        texts=(*scripts.texts, *meta_commands),
        passed_over=problems.passed_over(),
    )
    everything = itertools.chain(
        (query.sql for query in (*known, *literals, *(each.query for each in data))),
        (text for _, text in scripts.texts),
        (use.text for use in configuration),
        options.commands,
        (options.run, options.database),
    )
    secrets = frozenset(itertools.chain.from_iterable(map(secrets_in, everything)))
    return Inputs(
        application,
        tuple(schema),
        tuple(data),
        tuple(literals),
        options.commands,
        declared_in_files(map(Path, options.behaviors)),
        options.search_path or search_path_of(known) or production.search_path,
        secrets,
        tuple(problems),
        tuple(problems.unread),
        GivenParameters.read(Path(options.parameters)) if options.parameters else GivenParameters(),
        production,
    )


def _all(
    given: Sequence[str], read: Callable[[str], Iterator[Any]], problems: Problems, kind: Input
) -> list[Any]:
    everything: list[Any] = []
    for each in given:
        try:
            everything.extend(read(each))
        except PgFeaturesError as error:
            problems.not_read(kind, f"{error.problem}: {error.remedy}" if error.remedy else error.problem)
    return everything


def _has_rows(sent: Loadable) -> bool:
    """Whether a statement of a schema brings data: dumps have COPY, and migrations INSERT."""
    return bool(sent.data.strip()) or _INSERTING.match(sent.query.sql) is not None


def _major(version: str) -> PgMajor:
    """The major of a version as pg_dump writes it: ``9.5beta2`` and ``9.5`` are 9.5, too."""
    first, _, rest = version.partition(".")
    return PgMajor(f"{first}.{rest.partition('.')[0]}" if first == "9" else first)


def _check_dumps(options: ReadinessOptions, problems: list[str]) -> None:
    """Report dumps of another major than ``--from``: they may use features that this major lacks."""
    olds = options.old_majors
    for given in options.schema:
        version = dumped_from(given)
        if version is not None and olds and all(_major(version) != major for major in olds):
            problems.append(
                f"{given} was dumped from {version}, but --from is {', '.join(map(str, olds))}:"
                f" servers of older versions refuse what only {version} supports"
            )
