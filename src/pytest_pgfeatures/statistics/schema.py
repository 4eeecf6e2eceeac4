"""The schema of a database, from a pg_dump for its server's version, in our transaction's snapshot."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pytest_pgfeatures.errors import PgFeaturesError, StatisticsError
from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

_STANDBYS_EXPORT = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
_LOCK_TIMEOUT_MS = 5000
_AT_LEAST_SECONDS = 300.0
_REMEDY = "leave out the schema (--no-schema, schema=False)"
_UNREADABLE = """
    SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relpersistence <> 't'
       AND c.relkind::text = ANY (%s)
       AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE'))
     ORDER BY 1, 2
"""
_OWNERS = """
    SELECT DISTINCT n.nspname, t.relname
      FROM pg_class s JOIN pg_namespace sn ON sn.oid = s.relnamespace
      JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype = 'a'
       AND d.refclassid = 'pg_class'::regclass
      JOIN pg_class t ON t.oid = d.refobjid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE s.relkind = 'S' AND s.relpersistence <> 't'
       AND NOT (has_table_privilege(s.oid, 'SELECT') AND has_schema_privilege(sn.oid, 'USAGE'))
"""
"""The query by which pg_dump reads the sequences of the tables that it dumps, even excluded ones."""
_DUMPS_READ_SEQUENCES = VersionSet("<10")
"""A sequence's definition is in a catalog since 10: https://www.postgresql.org/docs/release/10.0/."""
_SCHEMA = re.compile(r"^-- Name: .*; Type: SCHEMA; .*\n--\n\nCREATE SCHEMA .*;\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Dumping:
    """The connection of pg_dump.

    Parameters:
        dsn: the connection string as given.
        resolver: finds an install with pg_dump; None to find one in the user's store.
        timeout: the time limit of each statement, in seconds.
    """

    dsn: str
    resolver: Resolver | None
    timeout: float


def unreadable_tables(connection: psycopg.Connection[Any]) -> list[tuple[str, str]]:
    """The schemas and names of tables that the role may not read, so that pg_dump can't lock them."""
    return connection.execute(_UNREADABLE, [["r", "p", "m", "f"]]).fetchall()


def unreadable_sequences(connection: psycopg.Connection[Any]) -> list[tuple[str, str]]:
    """The schemas and names of sequences whose definitions pg_dump can't read."""
    if PgVersion.from_num(connection.info.server_version) not in _DUMPS_READ_SEQUENCES:
        return []
    return connection.execute(_UNREADABLE, [["S"]]).fetchall()


def dumped_schema(connection: psycopg.Connection[Any], dumping: Dumping) -> str:
    """The output of pg_dump --schema-only.

    Parameters:
        connection: the connection whose transaction's snapshot pg_dump uses.

    Raises:
        StatisticsError: there is no pg_dump for the server, or it fails.
    """
    version = PgVersion.from_num(connection.info.server_version)
    try:
        resolver = dumping.resolver or Resolver()
        install = resolver.client("pg_dump", version)
    except PgFeaturesError as error:
        raise StatisticsError(
            f"there is no pg_dump for {version}: {error.problem}",
            remedy=f"{error.remedy}; {_REMEDY}" if error.remedy else _REMEDY,
        ) from None
    arguments = ["--schema-only", "--no-password", f"--lock-wait-timeout={_LOCK_TIMEOUT_MS}"]
    if (snapshot := _snapshot(connection)) is not None:
        arguments.append(f"--snapshot={snapshot}")
    sequences = unreadable_sequences(connection)
    owners = connection.execute(_OWNERS).fetchall() if sequences else []
    for relation in (*unreadable_tables(connection), *sequences, *owners):
        arguments.append(f"--exclude-table={_quoted(relation)}")
    environment, address = _address(dumping.dsn)
    try:
        ended = subprocess.run(
            [install.program("pg_dump"), *arguments, f"--dbname={address}"],
            env=environment | dict(install.environment) | {"LC_MESSAGES": "C", "PGCLIENTENCODING": "UTF8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=max(dumping.timeout, _AT_LEAST_SECONDS),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StatisticsError(
            f"pg_dump of {install.version} did not end: {error}", remedy=f"try again, or {_REMEDY}"
        ) from None
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().splitlines() or ["it printed nothing"]
        raise StatisticsError(
            f"pg_dump of {install.version} can't read the schema: {said[0]}",
            details=tuple(said[1:]),
            remedy=f"correct what it reports, and try again, or {_REMEDY}",
        )
    return _with_sequences(ended.stdout.decode("utf-8", "surrogateescape"), sequences)


def _with_sequences(schema: str, sequences: Sequence[tuple[str, str]]) -> str:
    """A dump with the missing sequences that defaults of its tables name. pg_dump prints schemas first."""
    if not sequences:
        return schema
    *_, last = itertools.chain([None], _SCHEMA.finditer(schema))
    at = last.end() if last else 0
    definitions = "".join(f"CREATE SEQUENCE {_quoted(each)};\n" for each in sequences)
    return schema[:at] + definitions + schema[at:]


def _snapshot(connection: psycopg.Connection[Any]) -> str | None:
    """The snapshot of our transaction; None on a standby before 10, which can't export one."""
    if PgVersion.from_num(connection.info.server_version) not in _STANDBYS_EXPORT and connection.execute(
        "SELECT pg_is_in_recovery()"
    ).fetchone() == (True,):
        return None
    row = connection.execute("SELECT pg_export_snapshot()").fetchone()
    return row[0] if row else None


def _quoted(relation: tuple[str, str]) -> str:
    """A relation's quoted name in SQL, and a pattern of pg_dump that matches nothing else."""
    return ".".join(f'"{part}"' for part in (each.replace('"', '""') for each in relation))


def _address(dsn: str) -> tuple[dict[str, str], str]:
    """The environment and the connection string. The password is in the environment, where other users can't
    see it."""
    parts = conninfo_to_dict(dsn)
    password = parts.pop("password", None)
    environment = dict(os.environ)
    if password is not None:
        environment["PGPASSWORD"] = str(password)
    return environment, make_conninfo(**{name: str(value) for name, value in parts.items()})
