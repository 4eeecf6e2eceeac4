"""The locale of a database: read it, and give it to another database if that server and machine have it.

https://www.postgresql.org/docs/current/locale.html#LOCALE-PROVIDERS
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import sql

from pytest_pgfeatures.errors import StatisticsError
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.statistics.model import Statistics

_HAS_PROVIDER = VersionSet(">=15")  # https://www.postgresql.org/docs/release/15.0/
_HAS_RULES = VersionSet(">=16")  # https://www.postgresql.org/docs/release/16.0/
_ONE_LOCALE = VersionSet(">=17")
"""Servers with the provider builtin, and one column for the locale:
https://www.postgresql.org/docs/release/17.0/."""
_LOCALE = """
    SELECT pg_encoding_to_char(encoding)::text, datcollate::text, datctype::text,
           CASE {provider} WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin' ELSE 'libc' END,
           coalesce({locale}, '')::text, coalesce({rules}, '')::text
      FROM pg_catalog.pg_database WHERE datname = current_database()
"""
_SHOWN = {"libc": "libc", "icu": "ICU", "builtin": "the provider builtin"}
NO_ICU = "ICU is not supported in this build"
"""The server's message (src/backend/commands/collationcmds.c)."""


class Locale(NamedTuple):
    """The locale of a database; see :class:`~pytest_pgfeatures.statistics.model.Statistics`."""

    encoding: str
    collate: str
    ctype: str
    provider: str = "libc"
    name: str = ""
    rules: str = ""

    def __str__(self) -> str:
        name = self.collate if self.provider == "libc" else self.name
        return f"{name} of {_SHOWN[self.provider]}" + (" with rules of its own" if self.rules else "")


def locale_of(connection: psycopg.Connection[Any]) -> Locale:
    """The locale of a connection's database."""
    version = PgVersion.from_num(connection.info.server_version)
    query = _LOCALE.format(
        provider="datlocprovider" if version in _HAS_PROVIDER else "'c'",
        locale="datlocale"
        if version in _ONE_LOCALE
        else "daticulocale"
        if version in _HAS_PROVIDER
        else "NULL::text",
        rules="daticurules" if version in _HAS_RULES else "NULL::text",
    )
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return Locale(*row)


def of_statistics(statistics: Statistics) -> Locale:
    """Production's locale."""
    return Locale(
        statistics.encoding, statistics.collate, statistics.ctype,
        statistics.provider, statistics.locale, statistics.rules,
    )  # fmt: skip


def create_database(cluster: Cluster, statistics: Statistics, dbname: str) -> None:
    """Create a database with production's encoding and locale; with another locale, if the machine lacks
    production's.

    Raises:
        StatisticsError: the server creates no such database.
    """
    with cluster.connect() as connection:
        for locale in _like(of_statistics(statistics), cluster.version):
            try:
                connection.execute(_create(locale, dbname, cluster.version))
            except psycopg.Error as error:
                if connection.broken or error.sqlstate == "42P04":
                    raise
                continue
            return
    raise StatisticsError(f"{cluster.name} creates no database {dbname}", remedy="see its log")


def _like(wanted: Locale, version: PgVersion) -> Iterator[Locale]:
    """The locales that can replace another one, the best first."""
    if wanted.provider == "libc" or version in (
        _ONE_LOCALE if wanted.provider == "builtin" else _HAS_PROVIDER
    ):
        yield wanted
        if wanted.provider != "libc":  # the locale of libc has little effect then
            yield wanted._replace(collate="C", ctype="C")
    yield Locale(wanted.encoding, wanted.collate, wanted.ctype)
    yield Locale("UTF8", "C.UTF-8", "C.UTF-8")
    yield Locale("UTF8", "C", "C")


def _create(locale: Locale, dbname: str, version: PgVersion) -> sql.Composed:
    query = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING {} LC_COLLATE {} LC_CTYPE {}").format(
        sql.Identifier(dbname), locale.encoding, locale.collate, locale.ctype
    )
    if locale.provider != "libc":
        option = "ICU_LOCALE" if locale.provider == "icu" else "BUILTIN_LOCALE"
        query += sql.SQL(f" LOCALE_PROVIDER {locale.provider} {option} {{}}").format(locale.name)
    if locale.rules and version in _HAS_RULES:
        query += sql.SQL(" ICU_RULES {}").format(locale.rules)
    return query


def another_locale(connection: psycopg.Connection[Any], statistics: Statistics) -> list[str]:
    """The consequences if the database sorts text differently."""
    here, wanted = locale_of(connection), of_statistics(statistics)
    if here.provider == wanted.provider and (
        here.provider != "libc" or (here.collate == wanted.collate and here.encoding == wanted.encoding)
    ):
        return []
    lacking = (
        "which this server's build may lack: name an install with ICU, as --pg maven:18 is"
        if wanted.provider == "icu"
        else f"which {PgVersion.from_num(connection.info.server_version).major} may lack"
        if wanted.provider == "builtin"
        else "which this machine may lack"
    )
    return [
        f"the database sorts text by {here}, and production by {wanted}, {lacking};"
        " comparisons of text are estimated a little differently"
    ]
