"""Both formats of the same plans, from servers: rendered as the server prints them, and equal as trees.

The queries are in ``queries/``: the comment before each has a label that its plan has, and in brackets on which
majors, with which settings, and whether ANALYZE says the same figures each time. ``python -m
benchmarks.plan_corpus`` does the same with PostgreSQL's regression queries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plan import parse_plan, render
from pytest_pgfeatures.plan.known import VALUES, is_key, is_node, is_value
from pytest_pgfeatures.settings import exists, name_for
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

QUERIES = Path(__file__).parent / "queries"
HEAD = re.compile(r"^-- (?P<label>[^\[\n]+?) ?(?P<marks>(?: ?\[[^\]]*\])*)\n", re.MULTILINE)
PARALLEL = {
    "parallel_setup_cost": "0",
    "parallel_tuple_cost": "0",
    "min_parallel_table_scan_size": "0",
    "max_parallel_workers_per_gather": "2",
}
WITHOUT_FIGURES = ("", "COSTS OFF", "VERBOSE", "VERBOSE, COSTS OFF")
SETTINGS = "SETTINGS"
FORMS = ("JSON", "TEXT")
WITH_FIGURES = ("ANALYZE, TIMING OFF{}", "ANALYZE, VERBOSE, COSTS OFF, TIMING OFF{}")


@dataclass(frozen=True)
class Query:
    """A query and what its comment says of it."""

    label: str
    sql: str
    versions: VersionSet
    settings: dict[str, str]
    analyze: bool

    def options(self, version: PgVersion) -> Iterator[str]:
        """The sets of options to explain it with."""
        yield from WITHOUT_FIGURES
        if version in VersionSet(">=12"):
            yield SETTINGS
        if version in VersionSet(">=16"):
            yield "GENERIC_PLAN, COSTS OFF"
        if self.analyze:
            silent = "" if version in VersionSet("<10") else ", SUMMARY OFF"
            silent += ", BUFFERS OFF" if version in VersionSet(">=18") else ""
            yield from (options.format(silent) for options in WITH_FIGURES if version in VersionSet(">=10"))


def queries(name: str) -> Iterator[Query]:
    """The queries of a file, with what the comment before each says."""
    text = (QUERIES / f"{name}.sql").read_text()
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        settings, versions, analyze = {}, VersionSet("all"), False
        for mark in re.findall(r"\[([^\]]*)\]", head["marks"]):
            word, _, rest = mark.partition(" ")
            if word == "set":
                setting, _, value = rest.partition(" = ")
                settings[setting] = value.strip("'")
            elif word == "pg":
                versions = VersionSet(rest)
            elif word == "parallel":
                settings |= PARALLEL
            else:
                assert word == "analyze", mark
                analyze = True
        yield Query(head["label"], text[head.end() : end].strip(), versions, settings, analyze)


@pytest.fixture
def connection(pg_connection: Connection[Any], version: PgVersion) -> Connection[Any]:
    pg_connection.execute((QUERIES / "schema.sql").read_text())
    if version in VersionSet(">=10"):
        pg_connection.execute((QUERIES / "partitions.sql").read_text())
    pg_connection.execute(
        "VACUUM ANALYZE"
    )  # no hint bits are left to set, so that two runs say the same figures
    return pg_connection


@pytest.fixture
def version(pg_connection: Connection[Any]) -> PgVersion:
    return PgVersion.from_num(pg_connection.info.server_version)


@pytest.mark.parametrize("name", ["joins", "scans", "grouping", "subplans", "writing"])
def test_both_formats_of_a_plan_are_one_tree_and_one_text(
    connection: Connection[Any], version: PgVersion, name: str
) -> None:
    assert compared(connection, version, name) > 20


@pytest.mark.pg(needs=["contrib:postgres_fdw"])
def test_both_formats_of_a_foreign_plan(connection: Connection[Any], version: PgVersion) -> None:
    info = connection.info
    far = (QUERIES / "far.sql").read_text()
    connection.execute(far.format(socket=info.host, port=info.port, dbname=info.dbname, user=info.user))
    if version in VersionSet(">=14"):
        connection.execute("ALTER SERVER far OPTIONS (ADD async_capable 'true')")
    assert compared(connection, version, "foreign") >= 20


TRIGGER = """
CREATE TABLE said (form text, line text);
CREATE FUNCTION explained() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE line text; form text;
BEGIN
    FOREACH form IN ARRAY ARRAY['JSON', 'TEXT'] LOOP
        FOR line IN EXECUTE format('EXPLAIN (FORMAT %s) SELECT * FROM fresh f JOIN tree USING (id)', form) LOOP
            INSERT INTO said VALUES (form, line);
        END LOOP;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER explained AFTER INSERT ON tree REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE PROCEDURE explained();
INSERT INTO tree VALUES (7001, 1);
"""


@pytest.mark.pg(">=10")
def test_both_formats_of_a_plan_that_reads_a_transition_table(
    connection: Connection[Any], version: PgVersion
) -> None:
    connection.execute(TRIGGER)
    said = connection.execute("SELECT form, line FROM said").fetchall()
    in_json, in_text = ("\n".join(line for of, line in said if of == form) for form in ("JSON", "TEXT"))
    assert "Named Tuplestore Scan" in parse_plan(in_json)
    check(in_json, in_text, version, "a transition table")


def compared(connection: Connection[Any], version: PgVersion, name: str) -> int:
    """Compare the plans of a file's queries; how many."""
    count = 0
    for query in queries(name):
        if version not in query.versions:
            continue
        for options in query.options(version):
            count += 1
            in_json, in_text = (explained(connection, query, version, options, form) for form in FORMS)
            check(in_json, in_text, version, f"({options}) {query.sql}")
        assert query.label in parse_plan(in_json), query.sql
    return count


def check(in_json: str, in_text: str, version: PgVersion, what: str) -> None:
    plan = parse_plan(in_json, version=version)
    for node in plan:
        assert is_node(node.label), what
        assert [key for key in node.data if key != "Plans" and not is_key(key)] == [], what
        assert all(
            type(node[key]) is not str or is_value(key, node[key]) for key in VALUES.keys() & node.data
        ), what
    assert render(plan) == in_text, what
    assert render(parse_plan(in_json)) == in_text, f"version not given: {what}"
    assert parse_plan(in_text, version=version) == plan, what
    assert render(parse_plan(in_text)) == in_text, f"from text: {what}"


def explained(connection: Connection[Any], query: Query, version: PgVersion, options: str, form: str) -> str:
    """Return EXPLAIN's output, and undo its effects."""
    with connection.transaction(force_rollback=True):
        for name, value in query.settings.items():
            if exists(name, version):
                connection.execute("SELECT set_config(%s, %s, true)", (name_for(name, version), value))
        words = ", ".join(filter(None, (options, f"FORMAT {form}")))
        result = connection.pgconn.exec_(f"EXPLAIN ({words}) {query.sql}".encode())
    assert result.ntuples, (query.sql, result.error_message)
    return "\n".join((result.get_value(row, 0) or b"").decode() for row in range(result.ntuples))
