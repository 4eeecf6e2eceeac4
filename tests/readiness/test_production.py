"""The data that readiness takes from a live database, and the application's part of it."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.resolve import Resolver
from pytest_pgfeatures.readiness.inputs.files import InputReading
from pytest_pgfeatures.readiness.inputs.production import read_database
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.session import MARK

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.server import Cluster

pytestmark = pytest.mark.pg("18")
SETTINGS = {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.max": 5000}
_OF_THE_APPLICATION = {
    "SELECT datcollate FROM pg_database",
    "SELECT a FROM t",
    "SELECT relname FROM pg_catalog.pg_class",
}
_EVERYTHING = """
    CREATE TYPE kind AS ENUM ('a', 'b'); CREATE DOMAIN small AS int CHECK (VALUE > 0);
    CREATE TYPE pair AS (x int, y text); CREATE TYPE span AS RANGE (subtype = float8);
    CREATE TABLE t (id serial PRIMARY KEY, a kind, d small DEFAULT 3, c pair, n int CHECK (n > 2));
    CREATE TABLE u (id int REFERENCES t, r span); CREATE TABLE child () INHERITS (t);
    CREATE VIEW v AS SELECT * FROM t; CREATE MATERIALIZED VIEW m AS SELECT * FROM t;
    CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
    CREATE AGGREGATE agg (int) (sfunc = int4pl, stype = int);
    CREATE FUNCTION made() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER made BEFORE INSERT ON t FOR EACH ROW EXECUTE PROCEDURE made();
    CREATE POLICY p ON t USING (n > 3); CREATE COLLATION own FROM "C"; COMMENT ON TABLE t IS 'x';
    CREATE TEXT SEARCH CONFIGURATION own (COPY = simple); CREATE RULE r AS ON INSERT TO u DO ALSO NOTHING;
    GRANT SELECT ON t TO PUBLIC
"""


@pytest.fixture
def resolver() -> Resolver:
    return Resolver(Store.open())


@pytest.mark.parametrize(
    "version",
    ["9.6", "15", "18", *(pytest.param(version, marks=pytest.mark.thorough) for version in ("12", "16"))],
)
def test_our_statements_and_those_of_pg_dump_are_not_the_applications(
    version: str, create_pg: Callable[..., Cluster], resolver: Resolver
) -> None:
    production = create_pg(version=version, settings=SETTINGS, needs=["contrib:pg_stat_statements"])
    newest = create_pg(version="18")
    for cluster in (production, newest):
        cluster.sql(_EVERYTHING)
    production.sql("CREATE EXTENSION pg_stat_statements")
    for statement in _OF_THE_APPLICATION:
        production.sql(statement)
    for _ in range(2):
        export(production.dsn())
        install = resolver.client("pg_dump", production.version)
        subprocess.run(
            [install.program("pg_dump"), "--file=/dev/null", production.dsn()],
            env=os.environ | dict(install.environment),
            check=True,
        )
        reading = InputReading(lambda: resolver)
        found = list(read_database(production.dsn(), reading))
    assert reading.problems == []
    sent = [query for (query,) in production.sql("SELECT query FROM pg_stat_statements")]
    kept = {query.sql for query in found if isinstance(query, Query)}
    assert kept >= _OF_THE_APPLICATION
    assert sum(MARK in query for query in sent) > 10
    assert not [query for query in kept if MARK in query]
    assert len(kept) < len(sent) / 2
    # what is left of pg_dump's is so on all majors
    for query in kept:
        if re.match(r"SELECT|WITH", query) and "public." not in query:
            with newest.connect() as connection:
                text = re.sub(r"(\$\d+)(?=[A-Z])", r"\1 ", query).rstrip("; ")
                with contextlib.suppress(
                    psycopg.errors.AmbiguousFunction, psycopg.errors.IndeterminateDatatype
                ):
                    connection.execute(f"PREPARE known AS {text}".encode())


@pytest.mark.parametrize("version", ["9.6", "18"])
def test_a_view_that_another_role_may_replace_is_not_read(
    version: str, create_pg: Callable[..., Cluster], resolver: Resolver
) -> None:
    production = create_pg(version=version, settings=SETTINGS, needs=["contrib:pg_stat_statements"])
    production.sql("CREATE ROLE mallory LOGIN")
    production.sql("CREATE DATABASE hers OWNER mallory")
    reading = InputReading(lambda: resolver)

    def has_queries() -> bool:
        found = read_database(production.dsn("hers"), reading)
        return any(isinstance(each, Query) for each in found)

    with production.connect("hers", user="mallory") as connection:
        connection.execute("CREATE SCHEMA tools")
    with production.connect("hers") as connection:
        connection.execute("CREATE EXTENSION pg_stat_statements SCHEMA tools")
        connection.execute("SELECT 'read'")
        assert not has_queries()
        assert any("mallory may put other code in its place" in each for each in reading.problems)
        connection.execute("CREATE SCHEMA safe; ALTER EXTENSION pg_stat_statements SET SCHEMA safe")
        reading.problems.clear()
        assert has_queries()
        assert not any("other code" in each for each in reading.problems)
