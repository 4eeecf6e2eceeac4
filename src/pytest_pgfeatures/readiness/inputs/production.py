"""``--statistics`` and ``--database``: the planner's statistics of production, and other facts about a live
database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

from pytest_pgfeatures.errors import StatisticsError
from pytest_pgfeatures.readiness.inputs.files import InputReading
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.queries import HIDDEN
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.model import Place, Query, SettingUse
from pytest_pgfeatures.statistics.document import read_statistics
from pytest_pgfeatures.statistics.model import Statistics
from pytest_pgfeatures.statistics.own import trusted_roles
from pytest_pgfeatures.statistics.reading import read
from pytest_pgfeatures.statistics.schema import Dumping, dumped_schema
from pytest_pgfeatures.statistics.session import MARK
from pytest_pgfeatures.statistics.session import reading as live
from pytest_pgfeatures.version import PgVersion, VersionSet

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
"""Statements of pg_dump, which are not the application's: it identifies objects by their catalog's OID and their
own, and qualifies casts. Its other statements are the same on all majors."""
_WRITES_QUESTION_MARKS = VersionSet("<10")
"""Servers whose pg_stat_statements has ? for constants: https://www.postgresql.org/docs/release/10.0/."""
_SETTINGS = """
    SELECT name, current_setting(name), coalesce(sourcefile, ''), coalesce(sourceline, 1)
      FROM pg_settings
     WHERE source IN ('configuration file', 'command line', 'database', 'user', 'database user', 'global')
     ORDER BY 3, 4, 1
"""
_SEARCH_PATH = "SELECT reset_val FROM pg_settings WHERE name = 'search_path' AND reset_val <> boot_val"


def read_export(given: str, reading: InputReading) -> Iterator[Any]:
    """The statistics and the schema of ``--statistics``."""
    yield from _facts(read_statistics(Path(given)), "--statistics", given, reading)


def read_database(given: str, reading: InputReading) -> Iterator[Any]:
    """The facts that one transaction of a live database shows: statistics, schema, statements and settings."""
    with live(given, timeout=reading.timeout) as connection:
        name = f"database {connection.info.dbname}"
        yield from _queries(connection, name, reading.problems)
        reading.search_path = "".join(path for (path,) in connection.execute(_SEARCH_PATH))
        statistics = read(connection)
        if not reading.has_schema:
            try:
                dumping = Dumping(given, reading.resolver(), reading.timeout)
                statistics = statistics.with_schema(dumped_schema(connection, dumping))
            except StatisticsError as error:
                said = "; ".join((error.problem, *error.details))
                reading.problems.append(f"--database: the schema is missing: {said}: give it by --schema")
        for setting, value, file, line in connection.execute(_SETTINGS):
            place = Place(file or f"{name} (settings)", line)
            yield SettingUse(setting, value, "file", place, f"{setting} = {value}")
    yield from _facts(statistics, "--database", name, reading)


def _facts(statistics: Statistics, option: str, name: str, reading: InputReading) -> Iterator[Any]:
    """The statistics, and the statements of the schema if no other option gives one."""
    reading.problems += [f"{option}: not seen: {line}" for line in statistics.unseen]
    yield statistics
    if statistics.schema is not None and not reading.has_schema:
        reader = SqlReader("schema", reading.resolver)
        yield from reader.text(statistics.schema, f"{name} (schema)", Path.cwd())


def _queries(connection: psycopg.Connection[Any], name: str, problems: list[str]) -> Iterator[Query]:
    """The statements of pg_stat_statements, the most frequent first."""
    extension = connection.execute(_EXTENSION, [list(trusted_roles(connection))]).fetchone()
    if extension is None:
        problems.append(f"--database: {name} has no pg_stat_statements: no statements are known from it")
        return
    schema, roles = extension
    if roles:
        problems.append(
            f"--database: pg_stat_statements is not read: {', '.join(roles)} may put other code in its place, which"
            f" would run with the rights of {connection.info.user}: connect as the owner of the database or schema,"
            " create the extension in a schema of a superuser, or give an export by --queries"
        )
        return
    query = psycopg.sql.SQL(_STATEMENTS).format(psycopg.sql.Identifier(schema))
    try:
        with connection.transaction():
            rows = [str(row[0]) for row in connection.execute(query)]
    except psycopg.Error as error:
        if connection.broken:
            raise
        problems.append(f"--database: pg_stat_statements can't be read: {error.diag.message_primary}")
        return
    if HIDDEN in rows:
        problems.append(
            f"--database: the role {connection.info.user} may not see the statements of other roles in"
            " pg_stat_statements: grant it pg_read_all_stats"
        )
    kept = (sql for sql in rows if sql != HIDDEN and MARK not in sql and not _OF_PG_DUMP.search(sql))
    if PgVersion.from_num(connection.info.server_version) in _WRITES_QUESTION_MARKS:
        kept = (with_parameters(sql)[0] for sql in kept)
    for number, sql in enumerate(kept, 1):
        yield Query(sql, "statistics", f"{name} (pg_stat_statements)", (number,) * (sql.count("\n") + 1))
