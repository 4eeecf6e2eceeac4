"""Attacks by an exported database: no code of its users runs, and the statements that we send are known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from torture.attacks import REPLACED
from torture.exports import occupy, take_back

from pytest_pgfeatures.statistics.model import MCV
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.session import MARK
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.statistics.model import RelationStatistics, Statistics

# autovacuum would run functions of indexes, too, as the tables' owner
pytestmark = pytest.mark.pg("9.6,12,14,16,18", settings={"autovacuum": "off"})

_OF_STATISTICS = VersionSet(">=14")


@pytest.fixture
def hostile(pg_database: object, pg_cluster: Cluster) -> Iterator[tuple[Cluster, str]]:
    """A database whose owner is no superuser, and wants to be."""
    dbname = pg_database.name  # type: ignore[attr-defined]
    pg_cluster.sql("CREATE ROLE guest LOGIN")
    occupy(pg_cluster, dbname)
    yield pg_cluster, dbname
    with pg_cluster.connect(dbname) as connection:
        connection.execute("DROP OWNED BY mallory, guest CASCADE")
        connection.execute(f"ALTER DATABASE {dbname} OWNER TO CURRENT_USER".encode())
    for role in ("mallory", "guest"):
        pg_cluster.sql(f"DROP ROLE {role}")


def _relation(statistics: Statistics, name: str) -> RelationStatistics:
    return next(each for each in statistics.relations if each.name == name)


def _ends(statistics: Statistics, relation: str) -> dict[str, tuple[str, str] | None]:
    return {column.name: column.ends for column in _relation(statistics, relation).columns}


def _logged(cluster: Cluster, since: int) -> str:
    return cluster.log.text(since)


@pytest.mark.parametrize("owner", ["mallory", "superuser"])
def test_no_function_of_a_user_runs_when_a_superuser_exports(
    owner: str, hostile: tuple[Cluster, str]
) -> None:
    cluster, dbname = hostile
    if owner == "superuser":
        take_back(cluster, dbname)
    with cluster.connect(dbname, user="mallory") as connection:
        connection.execute(REPLACED)
    since = cluster.log.position()
    statistics = export(cluster.dsn(dbname), schema=False)
    assert "RAN" not in _logged(cluster, since)
    assert _relation(statistics, "of_expression").columns[0].slots
    told = "\n".join(statistics.unseen)
    if owner == "superuser":
        # what is PostgreSQL's own has ends even beside columns that are not, but not on a table that calls others
        assert _ends(statistics, "plain") == {
            "a": None if cluster.version in _OF_STATISTICS else ("1", "500")
        }
        assert "public.constant" in told
        assert "public.partial" in told
    else:
        assert _ends(statistics, "plain") == {"a": None}
        assert "could run another role's code" in told
    assert not any(
        any(_ends(statistics, each).values()) for each in ("bait", "constant", "partial", "policed")
    )
    # the test would see it: what we don't do runs it
    since = cluster.log.position()
    with pytest.raises(RuntimeError, match="cat was run"):
        _evaluate(cluster, dbname)
    assert "RAN fixed" in _logged(cluster, since)


def _evaluate(cluster: Cluster, dbname: str) -> None:
    with cluster.connect(dbname, autocommit=False) as connection:
        connection.execute("SELECT a FROM constant WHERE a IS NOT NULL ORDER BY a LIMIT 1")
    raise RuntimeError("cat was run")


def test_the_owner_gets_the_ends_of_what_is_built_in(hostile: tuple[Cluster, str]) -> None:
    cluster, dbname = hostile
    with cluster.connect(dbname) as connection:
        connection.execute(
            "CREATE TYPE state AS ENUM ('no', 'yes'); CREATE TABLE own (a int, b text, c state);"
            "CREATE INDEX ON own (a); CREATE INDEX ON own (lower(b)); CREATE INDEX ON own (c);"
            "CREATE INDEX ON own (a) WHERE c = 'yes';"
            "INSERT INTO own SELECT i, 'T' || i, 'no' FROM generate_series(1, 500) i; ANALYZE own;"
            f"ALTER DATABASE {dbname} OWNER TO CURRENT_USER".encode()
        )
    statistics = export(cluster.dsn(dbname), schema=False)
    assert _ends(statistics, "own") == {"a": ("1", "500"), "b": None, "c": None}
    assert [column.ends for column in _relation(statistics, "own_lower_idx").columns] == [("t1", "t99")]


@pytest.mark.pg("9.6,18", needs=["contrib:hstore", "contrib:citext"])
def test_values_of_types_that_are_not_postgresqls_own_are_not_printed(hostile: tuple[Cluster, str]) -> None:
    cluster, dbname = hostile
    with cluster.connect(dbname) as connection:
        connection.execute("""
            CREATE EXTENSION hstore; CREATE EXTENSION citext;
            CREATE TYPE pair AS (a int, h hstore);
            CREATE TABLE foreigners (h hstore, p pair, hs hstore[], c citext, i int);
            INSERT INTO foreigners SELECT s, ROW(1, s)::pair, ARRAY[s], i % 9, i % 9 FROM generate_series(1, 900) i,
              LATERAL (SELECT ('a=>' || i % 9)::hstore AS s) AS s;
            CREATE INDEX printed ON foreigners (((p).h));
            CREATE INDEX counted_h ON foreigners ((h -> 'a'));
            ANALYZE foreigners
        """)
        statistics = export(cluster.dsn(dbname), schema=False)
        connection.execute("DROP EXTENSION hstore CASCADE")
    kinds = {
        column.name: {slot.kind: slot.values for slot in column.slots}
        for column in _relation(statistics, "foreigners").columns
    }
    assert kinds["i"][MCV] is not None
    assert kinds["c"][MCV] is not None, "its output function is textout"
    for name in ("h", "p", "hs"):
        assert not any(kinds[name].values())
        assert MCV not in kinds[name]
    assert not any(slot.values for slot in _relation(statistics, "printed").columns[0].slots)
    assert any("hstore" in line and "pair" in line for line in statistics.unseen)


@pytest.mark.parametrize("role", ["superuser", "guest"])
def test_what_is_sent_is_known(role: str, hostile: tuple[Cluster, str]) -> None:
    cluster, dbname = hostile
    with cluster.connect(dbname) as connection:
        connection.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC")
    cluster.sql("ALTER SYSTEM SET log_statement = 'all'")
    cluster.sql("ALTER SYSTEM SET log_line_prefix = '@%a@%p@'")
    cluster.reload()
    cluster.poll_query_until("SELECT current_setting('log_statement') = 'all'")
    since = cluster.log.position()
    try:
        statistics = export(
            cluster.dsn(dbname) if role == "superuser" else f"{cluster.dsn(dbname)} user=guest"
        )
    finally:
        log = _logged(cluster, since)
        for setting in ("log_statement", "log_line_prefix"):
            cluster.sql(f"ALTER SYSTEM RESET {setting}")
        cluster.reload()
        cluster.poll_query_until("SELECT current_setting('log_statement') <> 'all'")
    assert statistics.schema
    sent = _statements(log)
    ours, dumped = sent["pgfeatures"], sent["pg_dump"]
    assert len(ours) > 15
    for statement in ours:
        assert MARK in statement or _CONTROL.fullmatch(statement), statement
        _check(statement, cluster, dbname)
    for statement in dumped:
        if not _OF_PG_DUMP.fullmatch(statement):
            _check(statement, cluster, dbname)


_CONTROL = re.compile(r'BEGIN[A-Z ]*|(SAVEPOINT|RELEASE|ROLLBACK TO) "_pg3_\d+"|ROLLBACK|RELEASE "_pg3_\d+"')
_OF_PG_DUMP = re.compile(
    r"(BEGIN|SET [^;]*|EXECUTE \w+\('\d+'\)|DEALLOCATE \w+|LOCK TABLE [^;]* IN ACCESS SHARE MODE;?)"
)
_RELATION = re.compile(
    r"\b(?<!DISTINCT )(?:FROM|JOIN)\s+(?:ONLY\s+)?(?!LATERAL\b|\(|'')([\w.\"]+)(\(?)", re.IGNORECASE
)


def _statements(log: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"pgfeatures": [], "pg_dump": []}
    for entry in re.split(r"^(?=@[^@\n]*@\d+@)", log, flags=re.MULTILINE):
        match = re.match(r"@([^@]*)@\d+@LOG:\s+(?:statement|execute [^:]+): (.*)", entry, re.DOTALL)
        if match and match[1] in found:
            found[match[1]].append(" ".join(match[2].split()))
    return found


def _check(statement: str, cluster: Cluster, dbname: str) -> None:
    """Each relation of a statement is one of pg_catalog, or a name within it, and nothing in it is a user's."""
    text = re.sub(r"'(?:[^']|'')*'", "''", statement)
    within = set(re.findall(r"\b(\w+)(?:\([\w, ]*\))? AS \(", text))
    for name, call in _RELATION.findall(text):
        plain = name.removeprefix("pg_catalog.")
        assert plain in within or call or re.fullmatch(r"pg_\w+", plain), f"{name} in {statement}"
    names = {name for (name,) in cluster.sql(_NAMES, dbname=dbname)}
    assert {"bait", "fixed", "answer", "same"} <= names
    assert not names.intersection(re.findall(r"\w+", text)), statement


_NAMES = """
    SELECT relname::text FROM pg_class WHERE oid >= 16384
    UNION SELECT proname::text FROM pg_proc WHERE oid >= 16384
    UNION SELECT typname::text FROM pg_type WHERE oid >= 16384
"""
