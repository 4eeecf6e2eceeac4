"""The stage plans: with production's statistics from a file, and from a live database that is only read."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.statistics.document import write_statistics
from pytest_pgfeatures.statistics.reading import export

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.readiness.run import Readiness
    from pytest_pgfeatures.server import Cluster

pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions
SCHEMA = """
    CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL, placed date NOT NULL, note text);
    INSERT INTO orders SELECT i, i % 1000, date '2020-01-01' + i % 900, 'n' || i FROM generate_series(1, 30000) i;
    CREATE INDEX by_customer ON orders (customer);
    ANALYZE orders;
"""
QUERIES = """\
SELECT * FROM orders WHERE id = %s;
SELECT customer, placed, note FROM orders ORDER BY customer, placed LIMIT 10;

SELECT * FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM orders) x WHERE n <= 5;
WITH one AS (SELECT * FROM orders) SELECT * FROM one WHERE customer = 3;
SELECT nothing FROM orders;
"""


def _stage(found: Readiness, stage: str) -> dict[str, int]:
    (run,) = [each for each in found.runs if each.stage == stage]
    assert run.error == ""
    return dict(run.report.counts)


def test_with_data_plans_that_differ_are_executed_and_measured(tmp_path: Path) -> None:
    data, queries = tmp_path / "data.sql", tmp_path / "queries.sql"
    data.write_text(SCHEMA)
    queries.write_text(
        QUERIES + "WITH one AS (SELECT * FROM orders) SELECT pg_sleep(9) FROM one WHERE customer = 3;\n"
    )

    found = readiness(old="9.6", new="14", data=[data], queries=[queries], stages=["plans"])

    counts = _stage(found, "plans")
    assert (counts["plans that differ"], counts["of these executed and measured"]) == (3, 2)
    told = {finding.place.line: finding for finding in found.findings if finding.place}
    assert list(told) == [2, 5, 7]
    blocks = re.search(r"(\d+) blocks accessed on 9.6, (\d+) on 14 \(", told[5].message)
    assert blocks is not None, told[5].message
    assert int(blocks[1]) > 100 > 2 * int(blocks[2]) > 0  # the whole table, and thirty rows by the index
    assert "blocks" not in told[7].message
    both = told[5].comparison
    assert both is not None
    assert ("blocks accessed", blocks[1], blocks[2]) in both.figures
    assert [name for name, _, _ in both.figures] == ["estimated cost", "blocks accessed", "milliseconds"]
    assert any(
        re.match(r"CTE Scan on one  \(cost=\d+\.\d\d\.\.\d+\.\d\d rows=\d+\)", row[0]) for row in both.rows
    )
    assert ("WITH queries that are used once are inlined, since 12", "") in both.causes
    planned = "'ANALYZE; EXPLAIN (COSTS OFF) WITH one AS "
    assert told[5].proof.startswith(f"pgfeatures bisect --pg 9.6,14 {data} {planned}")


UNQUALIFIED = """
    CREATE FUNCTION fold(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT lower($1)';
    CREATE FUNCTION folded(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN fold($1); END';
    CREATE TABLE tasks (id int PRIMARY KEY, title text);
    CREATE INDEX ON tasks (folded(title));
    INSERT INTO tasks SELECT i, 'task ' || i FROM generate_series(1, 3000) i;
"""


def test_a_table_that_a_server_cannot_analyze_takes_no_stage_with_it(tmp_path: Path) -> None:
    data, queries = tmp_path / "data.sql", tmp_path / "queries.sql"
    data.write_text(SCHEMA + UNQUALIFIED)
    queries.write_text("SELECT title FROM tasks WHERE id = 5;\nSELECT note FROM orders WHERE customer = 7;\n")

    found = readiness(
        old="14", new="18", data=[data], queries=[queries], stages=["plans", "queries", "results"]
    )

    assert [run.error for run in found.runs] == ["", "", ""]
    assert _stage(found, "plans")["statements planned"] == 2
    (told,) = [problem for problem in found.problems if "ANALYZE" in problem]
    assert re.fullmatch(
        r"18\S+ refuses ANALYZE public.tasks, and plans without its statistics: .* fold.*", told
    )
    assert _stage(found, "results")["with the same result"] == 2


def test_plans_are_compared_with_the_statistics_of_a_file(
    create_pg: Callable[..., Cluster], tmp_path: Path
) -> None:
    production = create_pg(version="9.6")
    production.sql(SCHEMA)
    file, queries = tmp_path / "production.json", tmp_path / "queries.sql"
    write_statistics(export(production.dsn()), file)
    queries.write_text(QUERIES)

    found = readiness(old="9.6", new="18", statistics=file, queries=[queries], stages=["plans"])

    counts = _stage(found, "plans")
    assert (counts["statements planned"], counts["plans that differ"]) == (4, 3)
    assert counts["relations of production's size"] == 3
    told = {finding.place.line: finding for finding in found.findings if finding.place}
    assert {line: finding.behavior for line, finding in told.items()} == {
        2: "13/order-by-incremental-sort",
        4: "15/window-run-condition",
        5: "12/cte-inlined",
    }
    assert "WITH queries that are used once are inlined, since 12" in told[5].message
    assert told[4].comparison
    assert told[4].comparison.causes[0][1] == "15/window-run-condition"
    assert "Index Scan using by_customer" in told[2].message or "Incremental Sort" in told[2].message
    weights = [finding.weight for finding in found.findings]
    assert weights == sorted(weights, reverse=True)


BROUGHT_BY_18 = """\
SELECT * FROM orders WHERE id = 5 OR id = 7 OR id = 9;
SELECT one.id FROM orders one JOIN orders other ON one.id = other.id WHERE one.customer > 5 AND other.id < 9;
SELECT * FROM orders WHERE note IS NOT NULL AND id IS NOT NULL;
SELECT * FROM orders WHERE id IN (VALUES (1), (2), (3));
SELECT * FROM states WHERE id = 777;
SELECT state, string_agg(pad, ',' ORDER BY pad) FROM states GROUP BY state;
SELECT * FROM orders WHERE id NOT IN (SELECT state FROM states WHERE pad = 'x');
"""


def test_a_cost_that_grows_comes_first(create_pg: Callable[..., Cluster], tmp_path: Path) -> None:
    production = create_pg(version="14")
    production.sql(SCHEMA)
    production.sql("""
        CREATE TABLE states (state int, id int, pad text);
        INSERT INTO states SELECT i % 3, i, 'pad ' || i FROM generate_series(1, 30000) i;
        CREATE INDEX ON states (state, id);
        ANALYZE states
    """)
    statistics = export(production.dsn())
    assert statistics.schema is not None
    # planted: on 18 the index is not there
    planted = statistics.schema.replace(
        "CREATE INDEX by_customer",
        "DO $$ BEGIN IF current_setting('server_version_num')::int < 180000 THEN"
        " CREATE INDEX by_customer ON public.orders (customer); END IF; END $$; -- ",
    )
    schema, file, queries = tmp_path / "schema.sql", tmp_path / "production.json", tmp_path / "queries.sql"
    schema.write_text(planted)
    write_statistics(statistics, file)
    queries.write_text(f"{QUERIES}SELECT * FROM orders WHERE customer = $1;\n{BROUGHT_BY_18}")

    found = readiness(
        old="14", new="18", schema=[schema], statistics=file, queries=[queries], stages=["plans"]
    )

    assert _stage(found, "plans")["statements planned"] >= 5
    grows = [finding for finding in found.findings if finding.severity == "warning"]
    assert {finding.place and finding.place.line for finding in grows} == {2, 5, 7, 13}
    assert all("its estimated cost grows" in finding.message for finding in grows)
    assert [finding.weight for finding in grows] == sorted((each.weight for each in grows), reverse=True)
    assert sum("became Seq Scan on orders" in finding.message for finding in grows) == 3
    told = {finding.place.line: finding.message for finding in found.findings if finding.place}
    causes = {line: re.findall(r"\[([^][]*), since \d+\]", told[line])[-1:] for line in told if line > 7}
    assert causes == {
        8: ["conditions joined by OR are one = ANY"],
        9: ["a join of a table with itself is left out"],
        10: ["IS NOT NULL is left out where a column can't be null"],
        11: ["IN (VALUES ...) is = ANY"],
        12: ["skip scan"],
        13: ["rows are sorted for an aggregate with ORDER BY or DISTINCT"],
    }
    assert any("on 18: index public.by_customer does not exist here" in problem for problem in found.problems)


@pytest.mark.parametrize("major", ["9.6", "12", "18"])
def test_a_live_database_gives_everything_and_is_only_read(
    major: str, create_pg: Callable[..., Cluster]
) -> None:
    production = create_pg(
        version=major, settings={"shared_preload_libraries": "pg_stat_statements", "random_page_cost": 1.1}
    )
    production.sql(SCHEMA)
    production.sql("CREATE EXTENSION pg_stat_statements")
    production.sql("CREATE ROLE least LOGIN; GRANT SELECT ON orders TO least")
    production.sql("ALTER ROLE least SET default_transaction_read_only = on")
    with production.connect(user="least") as connection:
        connection.execute("SELECT customer, placed, note FROM orders ORDER BY customer, placed LIMIT 10")
    production.sql("SELECT * FROM orders WHERE note = 'of another role'")
    old = "17" if major == "18" else major
    ended, wrote = threading.Event(), []

    def write() -> None:
        with production.connect() as connection:
            while not ended.wait(0.002):
                connection.execute(
                    "INSERT INTO orders VALUES (%s, 1, '2024-01-01', 'new')", [-len(wrote) - 1]
                )
                wrote.append(1)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = readiness(
            old=old, new="18", database=f"{production.dsn()} user=least password=not-shown", stages=["plans"]
        )
    finally:
        ended.set()
        writer.join()

    assert production.sql("SELECT count(*) FROM orders WHERE id < 0") == [(len(wrote),)]
    assert wrote
    counts = _stage(found, "plans")
    assert counts["statements planned"] == 1
    assert counts["relations of production's size"] >= 3
    problems = "\n".join(found.problems)
    assert "may not see the statements of other roles" in problems
    assert "may not read pg_statistic" in problems
    assert "not-shown" not in problems
    assert counts["plans that differ"] == (old != "17")
    assert production.sql("SELECT sum(n_tup_ins) FROM pg_stat_user_tables WHERE relname <> 'orders'") == [
        (None,)
    ]


def test_what_can_not_be_read_is_told_and_other_stages_go_on(tmp_path: Path) -> None:
    schema, edited = tmp_path / "schema.sql", tmp_path / "edited.json"
    schema.write_text("CREATE TABLE t (a int);\n")
    edited.write_text('{"pgfeatures": "statistics", "format": 1, "sha256": "0", "content": {}}')
    found = readiness(old="14", new="18", schema=[schema], statistics=edited, stages=["schema", "plans"])
    runs = {run.stage: run for run in found.runs}
    assert runs["schema"].error == ""
    assert runs["schema"].unread == ()
    assert "was changed after it was written" in runs["plans"].unread[0]
    found = readiness(
        old="14", new="18", schema=[schema], database="host=/nowhere password=not-shown", stages=["plans"]
    )
    assert "the connection was refused" in found.runs[0].unread[0]
    assert "not-shown" not in "\n".join((*found.problems, *found.runs[0].unread))
    with pytest.raises(PgFeaturesError, match="are both given"):
        readiness(old="14", new="18", statistics=edited, database="host=/nowhere")
