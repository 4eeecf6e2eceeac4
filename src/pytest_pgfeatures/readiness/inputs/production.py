"""``--statistics`` and ``--database``: the planner's statistics of production, and other facts about a live
database."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError, StatisticsError
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.model import Place, Query, SettingUse
from pytest_pgfeatures.statistics.document import read_statistics
from pytest_pgfeatures.statistics.own import trusted_roles
from pytest_pgfeatures.statistics.reading import read
from pytest_pgfeatures.statistics.schema import Dumping, dumped_schema
from pytest_pgfeatures.statistics.session import MARK, reading
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.readiness.model import Input, Problems
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.statistics.model import Statistics

_STATEMENTS = """
    SELECT s.query FROM {}.pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND s.query IS NOT NULL
     GROUP BY s.query ORDER BY sum(s.calls) DESC, s.query
"""
_EXTENSION = """
    SELECT n.nspname, ARRAY(
        SELECT r.rolname::text FROM pg_roles r
         WHERE r.oid::bigint <> ALL (%s::bigint[]) AND r.oid IN (
            SELECT n.nspowner UNION SELECT e.extowner
            UNION SELECT c.relowner FROM pg_depend d JOIN pg_class c ON c.oid = d.objid
             WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_extension'::regclass
               AND d.refobjid = e.oid
            UNION SELECT p.proowner FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
             WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
               AND d.refobjid = e.oid)
         ORDER BY 1)
      FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'pg_stat_statements' AND EXISTS (
        SELECT 1 FROM pg_depend d JOIN pg_class c ON c.oid = d.objid
         WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
           AND c.relname = 'pg_stat_statements' AND c.relnamespace = n.oid)
"""
"""The schema of the extension, and the roles, other than ours, that control the definition of its view."""
_OF_PG_DUMP = re.compile(
    r"\btableoid,\s+(?:\w+\.)?oid\b|\boid,\s+(?:\w+\.)?tableoid\b|^SELECT\s+c\.tableoid,"  # any object
    r"|(?:\$\d+|\?|'\d+')::pg_catalog\.(?:oid|regclass)\b"  # one object
    r"|^PREPARE (?:dump|get)\w+\("
    r"|^LOCK TABLE\b|\bpg_export_snapshot\(|\bpg_init_privs\b|\bacldefault\("
    r"|^SELECT\s+a\.att(?:relid|num),|\bpg_catalog\.format_type\(rngsubtype,|\bcache_value, is_cycled\s+FROM\b"
)
"""Statements of pg_dump, which come from its backups, not from the application: it identifies objects by
their catalog's OID and their own, and qualifies casts. Its other statements are the same on all majors."""
_WRITES_QUESTION_MARKS = VersionSet("<10")
"""Servers whose pg_stat_statements has ? for constants: https://www.postgresql.org/docs/release/10.0/."""
_HIDDEN = "<insufficient privilege>"
_SETTINGS = """
    SELECT name, current_setting(name), coalesce(sourcefile, ''), coalesce(sourceline, 1)
      FROM pg_settings
     WHERE source IN ('configuration file', 'command line', 'database', 'user', 'database user', 'global')
     ORDER BY 3, 4, 1
"""
_SEARCH_PATH = "SELECT reset_val FROM pg_settings WHERE name = 'search_path' AND reset_val <> boot_val"


@dataclass(frozen=True, slots=True)
class Production:
    """The facts known about the production database.

    Parameters:
        statistics: the planner's statistics; None if there are none.
        error: why they could not be read; empty if they were, or none are given.
        schema: its schema, if no other one is given.
        queries: the statements of pg_stat_statements.
        settings: the settings of its configuration, database and role.
        search_path: the setting of its sessions; empty for the default.
        given: the kinds of inputs that these replace.
    """

    statistics: Statistics | None = field(default=None, repr=False)
    error: str = ""
    schema: tuple[Loadable, ...] = field(default=(), repr=False)
    queries: tuple[Query, ...] = field(default=(), repr=False)
    settings: tuple[SettingUse, ...] = field(default=(), repr=False)
    search_path: str = ""
    given: frozenset[Input] = frozenset()


def read_production(
    options: ReadinessOptions, resolver: Callable[[], Resolver], problems: Problems
) -> Production:
    """Read ``--statistics`` or ``--database``. What can't be read is reported as a problem; the rest goes on."""
    kind: Input = "database" if options.database else "statistics"
    option = f"--{kind}"
    if not options.statistics and not options.database:
        return Production()
    try:
        if options.database:
            found, name = _live(options, resolver, problems)
        else:
            found, name = Production(read_statistics(Path(options.statistics))), options.statistics
    except PgFeaturesError as error:
        said = f"{option}: {error.problem}: {error.remedy}" if error.remedy else f"{option}: {error.problem}"
        problems.not_read(kind, said)
        return Production(error=said)
    statistics = found.statistics
    assert statistics is not None
    problems += [f"{option}: not seen: {line}" for line in statistics.unseen]
    schema: tuple[Loadable, ...] = ()
    if statistics.schema is not None and not options.schema and not options.setup:
        reader = SqlReader("schema", resolver)
        schema = tuple(reader.text(statistics.schema, f"{name} (schema)", Path.cwd()))
    kinds: tuple[Input, ...] = (kind, "schema", "queries", "config")
    some = (statistics, schema, found.queries, found.settings)
    given = frozenset(itertools.compress(kinds, some))
    return replace(found, schema=schema, given=given)


def _live(
    options: ReadinessOptions, resolver: Callable[[], Resolver], problems: list[str]
) -> tuple[Production, str]:
    """The facts that one transaction of a live database shows, and the database's name."""
    with reading(options.database, timeout=options.timeout) as connection:
        name = f"database {connection.info.dbname}"
        queries = _queries(connection, name, problems)
        path = connection.execute(_SEARCH_PATH).fetchone()
        statistics = read(connection)
        if not options.schema and not options.setup:
            try:
                dumping = Dumping(options.database, resolver(), options.timeout)
                statistics = statistics.with_schema(dumped_schema(connection, dumping))
            except StatisticsError as error:
                said = "; ".join((error.problem, *error.details))
                problems.append(f"--database: the schema is missing: {said}: give it by --schema")
        settings = tuple(_settings(connection, name))
        found = Production(
            statistics, queries=tuple(queries), settings=settings, search_path=path[0] if path else ""
        )
        return found, name


def _queries(connection: psycopg.Connection[Any], name: str, problems: list[str]) -> list[Query]:
    """The statements of pg_stat_statements, the most frequent first."""
    extension = connection.execute(_EXTENSION, [list(trusted_roles(connection))]).fetchone()
    if extension is None:
        problems.append(
            f"--database: {name} has no extension pg_stat_statements: no statements are known from it"
        )
        return []
    schema, roles = extension
    if roles:
        problems.append(
            f"--database: pg_stat_statements is not read: {', '.join(roles)} may put other code in its place, which"
            f" would run with the rights of {connection.info.user}: connect as the owner of the database or schema,"
            " create the extension in a schema of a superuser, or give an export by --queries"
        )
        return []
    query = psycopg.sql.SQL(_STATEMENTS).format(psycopg.sql.Identifier(schema))
    try:
        with connection.transaction():
            rows = [str(row[0]) for row in connection.execute(query)]
    except psycopg.Error as error:
        if connection.broken:
            raise
        problems.append(f"--database: pg_stat_statements can't be read: {error.diag.message_primary}")
        return []
    if _HIDDEN in rows:
        problems.append(
            f"--database: the role {connection.info.user} may not see the statements of other roles in"
            " pg_stat_statements: grant it pg_read_all_stats"
        )
    kept = (sql for sql in rows if sql != _HIDDEN and MARK not in sql and not _OF_PG_DUMP.search(sql))
    if PgVersion.from_num(connection.info.server_version) in _WRITES_QUESTION_MARKS:
        kept = (with_parameters(sql)[0] for sql in kept)
    return [
        Query(sql, "statistics", f"{name} (pg_stat_statements)", (number,) * (sql.count("\n") + 1))
        for number, sql in enumerate(kept, 1)
    ]


def _settings(connection: psycopg.Connection[Any], name: str) -> list[SettingUse]:
    return [
        SettingUse(setting, value, "file", Place(file or f"{name} (settings)", line), f"{setting} = {value}")
        for setting, value, file, line in connection.execute(_SETTINGS)
    ]


def statistics_of(production: Production) -> Statistics:
    """The statistics.

    Raises:
        StatisticsError: they could not be read.
    """
    if production.statistics is None:
        raise StatisticsError(production.error or "there are no statistics")
    return production.statistics
