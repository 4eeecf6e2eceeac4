"""Parts of the stages that run something: what determines an order, values of parameters, files of these, logs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.answers.model import Sent, SentColumn, ServerAnswer
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.queries import read_log
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.options import read_options
from pytest_pgfeatures.readiness.pairs import Trials, pairs
from pytest_pgfeatures.readiness.running.contents import contents_of, lost, snapshot_of, tables
from pytest_pgfeatures.readiness.running.effects import determinacy
from pytest_pgfeatures.readiness.running.execute import execute_all
from pytest_pgfeatures.readiness.running.judge import rewritten
from pytest_pgfeatures.readiness.running.parameters import Samples, values_of
from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.readiness.statements.grammar import read
from pytest_pgfeatures.readiness.toml_files import GivenParameters
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from pathlib import Path

    import psycopg

ORDERS = """
    CREATE TABLE orders (id int PRIMARY KEY, customer int, number int, total numeric, note text);
    CREATE TABLE lines (id int PRIMARY KEY, orders int);
    INSERT INTO orders VALUES (1, 1, 1, 5), (2, 1, 2, 5), (3, 2, 1, 7);
    INSERT INTO lines VALUES (1, 1), (2, 1), (3, 2);
"""


@pytest.mark.pg("9.6,18")
@pytest.mark.parametrize(
    ("sql", "ordered", "left_open"),
    [
        ("SELECT total FROM orders ORDER BY id", True, ""),
        ("SELECT total FROM public.orders o ORDER BY o.id DESC NULLS LAST", True, ""),
        ("SELECT total FROM orders ORDER BY number, customer", True, ""),
        ("SELECT total FROM orders WHERE customer = $1 ORDER BY number", True, ""),
        ("SELECT $1::int, total FROM orders WHERE customer = $2 ORDER BY number", True, ""),
        ("SELECT total FROM orders ORDER BY customer", False, ""),
        ("SELECT id AS n FROM orders ORDER BY n", True, ""),
        ("SELECT id FROM orders ORDER BY 1", True, ""),
        ("SELECT o.id FROM orders o JOIN lines l ON l.orders = o.id ORDER BY o.id", False, ""),
        ("SELECT o.id FROM orders o JOIN lines l ON l.orders = o.id ORDER BY l.id, o.id", True, ""),
        ("SELECT customer, sum(total) FROM orders GROUP BY customer ORDER BY customer", True, ""),
        ("SELECT customer, sum(total) FROM orders GROUP BY customer, number ORDER BY 1", False, ""),
        ("SELECT DISTINCT customer FROM orders ORDER BY customer", True, ""),
        ("SELECT DISTINCT customer, number FROM orders ORDER BY customer", False, ""),
        ("SELECT total FROM orders ORDER BY id LIMIT 1", True, ""),
        ("SELECT total FROM orders ORDER BY customer LIMIT 1", False, "LIMIT"),
        ("SELECT total FROM orders ORDER BY customer DESC LIMIT 1", True, ""),
        ("SELECT total FROM orders ORDER BY customer OFFSET 1", False, "LIMIT"),
        ("SELECT count(*) FROM (SELECT 1 FROM orders LIMIT 5) x", False, "LIMIT"),
        ("SELECT count(*) FROM orders LIMIT 1", False, ""),
        ("SELECT id FROM orders UNION SELECT id FROM lines ORDER BY id LIMIT 1", False, "LIMIT"),
        (
            "SELECT (SELECT id FROM lines l WHERE l.orders = o.id ORDER BY id LIMIT 1) FROM orders o",
            False,
            "",
        ),
        ("SELECT (SELECT id FROM lines l WHERE l.orders = o.id LIMIT 1) FROM orders o", False, "LIMIT"),
        ("SELECT DISTINCT ON (customer) total FROM orders ORDER BY customer", False, "DISTINCT ON"),
        ("SELECT DISTINCT ON (customer) total FROM orders ORDER BY customer, id", True, ""),
        ("SELECT array_agg(total) FROM orders", False, "an aggregate"),
        ("SELECT array_agg(total ORDER BY id) FROM orders", False, ""),
        ("SELECT string_agg(note, ',') FROM orders", False, "an aggregate"),
        ("SELECT row_number() OVER (ORDER BY customer) FROM orders", False, "row_number()"),
        ("SELECT row_number() OVER w FROM orders WINDOW w AS (ORDER BY customer)", False, "row_number()"),
        ("SELECT row_number() OVER (PARTITION BY customer ORDER BY id) FROM orders", False, ""),
        ("WITH orders AS (SELECT 1 AS id) SELECT id FROM orders ORDER BY id", True, ""),
        ("WITH both AS (SELECT 1 AS id UNION ALL SELECT 1) SELECT id FROM both ORDER BY id", False, ""),
        ("SELECT nothing that the grammar reads FROM FROM", False, ""),
    ],
)
def test_what_a_statement_determines(
    sql: str, ordered: bool, left_open: str, pg_connection: psycopg.Connection
) -> None:
    pg_connection.execute(ORDERS)

    query = Query(sql, "query", "q.sql", (1,), values=("1",) * sql.count("$"))
    known = determinacy(query, read(sql), {})
    forms = [form for tie in known.ties for form in tie.forms]
    ran = execute_all(pg_connection, forms, timeout=60)
    pairs = zip(forms, ran, strict=True)
    apart = {form for form, each in pairs if not each.answer.sqlstate and not each.answer.sent[0].rows}
    found = known.decided(apart)
    assert bool(found.ordered) is ordered
    assert found.left_open.startswith(left_open)
    assert bool(found.left_open) is bool(left_open)


@pytest.mark.pg(">=18")
def test_values_come_from_the_column_that_a_parameter_meets(pg_connection: psycopg.Connection) -> None:
    pg_connection.execute(
        'CREATE TABLE orders (id int PRIMARY KEY, kind text, placed date, tags text[], "Note" text)'
    )
    pg_connection.execute(
        "INSERT INTO orders SELECT n, CASE WHEN n % 3 = 0 THEN 'rare' ELSE 'usual' END, '2024-05-06',"
        " '{a}', 'note' FROM generate_series(1, 1000) n"
    )
    pg_connection.execute(
        "CREATE VIEW open AS SELECT id, kind AS sort FROM orders WHERE id = 17; ANALYZE orders"
    )
    samples = Samples(pg_connection)

    def asked(sql: str, *types: str) -> tuple[str | None, ...]:
        query = Query(sql, "query", "q.sql", (1,))
        found = values_of(query, types, read(sql), {}, samples)
        assert not isinstance(found, int)
        assert not found[1]
        return found[0]

    assert asked("SELECT * FROM orders o WHERE o.kind = $1 LIMIT $2 OFFSET $3", "text", "bigint", "bigint") == (
        "usual", "10", "0",
    )  # fmt: skip
    (middle,) = asked("SELECT * FROM orders WHERE id > $1", "integer")
    assert middle is not None
    assert 300 < int(middle) < 700
    assert asked("SELECT * FROM orders WHERE kind = ANY($1)", "text[]") == ('{"usual"}',)
    assert asked("SELECT * FROM orders WHERE kind IN ($1, $2)", "text", "text") == ("usual", "usual")
    assert asked("SELECT * FROM orders WHERE extract(year FROM placed) = $1", "numeric") == ("2024",)
    assert asked("SELECT * FROM open WHERE sort = $1", "text") == ("usual",)
    assert asked('INSERT INTO orders (placed, "Note") VALUES ($1, $2)', "date", "text") == (
        "2024-05-06",
        "note",
    )
    assert asked('UPDATE orders SET "Note" = $1 WHERE id = 5', "text") == ("note",)
    assert asked("INSERT INTO orders VALUES (1, $1), ($2, 'x')", "text", "integer") == ("usual", "500")
    assert asked("INSERT INTO orders (id, kind) SELECT $1, $2", "integer", "text") == ("500", "usual")
    assert asked("SELECT * FROM orders WHERE ($1::text IS NULL OR kind = $1)", "text") == ("usual",)


TASKS = """
    CREATE TYPE state AS ENUM ('todo', 'done');
    CREATE DOMAIN label AS text CHECK (value <> '');
    CREATE TYPE spot AS (x int, y int);
    CREATE TABLE tasks (id int PRIMARY KEY, "Name" varchar, made timestamptz, data jsonb, state state);
    CREATE FUNCTION take(task int, state state, label label, VARIADIC names text[]) RETURNS int
        LANGUAGE sql AS 'SELECT 1';
    INSERT INTO tasks SELECT n, 'Task ' || n % 3, '2024-05-06', jsonb_build_object('tags', (n > 40)::int), 'done'
      FROM generate_series(1, 100) n;
    ANALYZE tasks
"""


@pytest.mark.pg("18")
@pytest.mark.parametrize(
    ("sql", "values", "by_type"),
    [
        ("SELECT id FROM tasks WHERE lower(\"Name\") = lower($1)", ("Task 1",), ()),
        ("SELECT date_trunc($1, made), to_char(made, $2) FROM tasks", ("day", "YYYY-MM-DD"), ()),
        ("SELECT made AT TIME ZONE $1 FROM tasks LIMIT $2", ("UTC", "10"), ()),
        ("SELECT data ->> $1 FROM tasks WHERE data ? $2", ("tags", "tags"), ()),
        ("SELECT id FROM tasks WHERE data @> $1", ('{"tags": 1}',), ()),
        ("SELECT id FROM tasks WHERE (id, \"Name\") > ($1, $2)", ("50", "Task 1"), ()),
        ("SELECT id FROM tasks WHERE id = ANY($1::int[])", ('{"50"}',), ()),
        ("SELECT id FROM tasks WHERE id - $1 > 5 AND made < to_timestamp($2)", ("50", "50"), (2,)),
        ("UPDATE tasks SET made = coalesce($1, now()) WHERE $2", ("2024-05-06 00:00:00+00", "true"), (2,)),
        ("SELECT take($1, $2, $3, VARIADIC $4)", ("50", "done", "Task 1", '{"Task 1"}'), (1, 2, 3, 4)),
        ("SELECT n FROM generate_series(1, $1::int) n", ("3",), ()),
        ("SELECT $1::tsquery, $2::int4range, $3::jsonpath, $4::uuid[]",
         ("a", "[1,10)", "$", '{"00000000-0000-0000-0000-000000000001"}'), (1, 2, 3, 4)),
        ("SELECT ($1::spot).x", 1, ()),
    ],
)  # fmt: skip
def test_values_follow_from_functions_and_types_and_the_server_takes_them(
    sql: str, values: tuple[str, ...] | int, by_type: tuple[int, ...], pg_connection: psycopg.Connection
) -> None:
    pg_connection.execute("SET timezone = 'UTC'")
    pg_connection.execute(TASKS)
    query = Query(sql, "query", "q.sql", (1,))
    (parsed,) = parse_all(pg_connection, [query], timeout=60)
    assert parsed.refusal is None
    found = values_of(query, parsed.parameters, read(sql), {}, Samples(pg_connection))
    if isinstance(found, int):
        assert found == values
        return
    assert found == (values, list(by_type))
    (ran,) = execute_all(pg_connection, [replace(query, values=found[0])], timeout=60)
    assert ran.answer.error is None or ran.answer.sqlstate is None, ran.answer


WRITING = """
    CREATE ROLE limited;
    CREATE TABLE items (id int PRIMARY KEY, note text); CREATE TABLE log (said text); CREATE TABLE cache (id int);
    INSERT INTO items VALUES (1, 'a'), (2, 'b'); INSERT INTO cache SELECT generate_series(1, 9);
    ALTER TABLE log ENABLE ROW LEVEL SECURITY; ALTER TABLE log FORCE ROW LEVEL SECURITY;
    GRANT INSERT ON log TO limited;
    CREATE POLICY written ON log FOR INSERT WITH CHECK (true);
    CREATE FUNCTION written() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        TRUNCATE cache;
        INSERT INTO cache VALUES (7);
        PERFORM set_config('role', 'limited', true);
        INSERT INTO log VALUES (NEW.note);
        RETURN NEW;
    END $$;
    CREATE TRIGGER written AFTER UPDATE ON items FOR EACH ROW EXECUTE PROCEDURE written();
"""


@pytest.mark.pg("9.6,18")
def test_what_triggers_do_to_other_tables_is_seen_whichever_role_they_leave(
    pg_connection: psycopg.Connection,
) -> None:
    pg_connection.execute(WRITING.encode())
    update = Query("UPDATE items SET note = 'c' WHERE id = 1", "query", "q.sql", (1,))
    read = Query("SELECT count(*) FROM cache", "query", "q.sql", (2,))
    try:
        for _ in range(2):
            first, second = execute_all(pg_connection, [update, read], timeout=60)
            did = {name: (did, first.left[name].rows) for name, did in first.did.items()}
            assert did["public.items"] == ("1 updated", 2)
            assert did["public.log"] == ("1 inserted", 1)
            assert did["public.cache"][0].startswith("emptied")
            assert did["public.cache"][1] == 1
            assert second.did == {}
            assert second.answer.sent[0].rows == (("9",),)
    finally:
        pg_connection.execute("DROP OWNED BY limited; DROP ROLE limited")


@pytest.mark.pg(">=18")
def test_what_an_upgrade_loses_is_named(pg_connection: psycopg.Connection) -> None:
    pg_connection.execute("CREATE TABLE kept (id serial, price float8, note text)")
    pg_connection.execute("CREATE TABLE lost (id int); CREATE TABLE fewer AS SELECT 1 AS id")
    pg_connection.execute(
        "INSERT INTO kept (price, note) SELECT n / 3.0, 'note' FROM generate_series(1, 9) n"
    )
    before = snapshot_of(pg_connection, pg_connection)
    assert not list(lost(before, snapshot_of(pg_connection, pg_connection)))
    pg_connection.execute("DROP TABLE lost; TRUNCATE fewer; UPDATE kept SET note = 'other' WHERE id = 5")
    pg_connection.execute("SELECT setval('kept_id_seq', 3)")
    assert dict(lost(before, snapshot_of(pg_connection, pg_connection))) == {
        "table public.lost": "it is missing",
        "table public.fewer": "it has 0 rows, and had 1",
        "table public.kept": "other values, or another text of them, in note",
        'sequence "public"."kept_id_seq"': "not as it was: (9, True) -> (3, True)",
    }


@pytest.mark.pg(">=18")
def test_values_whose_text_depends_on_the_release_are_compared_by_their_bytes(
    pg_connection: psycopg.Connection,
) -> None:
    pg_connection.execute("CREATE TABLE places (at pg_lsn, several pg_lsn[], name name, note text)")
    pg_connection.execute("""INSERT INTO places VALUES ('0/1F', '{0/0000001F}', 'a', 'b')""")
    query = tables(pg_connection)["public.places"].query
    assert re.findall(r"pg_catalog\.(\w+)\((\w+)\)", query) == [
        ("pg_lsn_send", "at"),
        ("array_send", "several"),
    ]
    assert contents_of(pg_connection, tables(pg_connection)["public.places"]).rows == 1


@pytest.mark.pg(">=18")
def test_values_of_the_old_server_are_written_as_the_new_one_writes_them(
    pg_connection: psycopg.Connection,
) -> None:
    columns = (
        SentColumn("lasts", 1186, "interval"),
        SentColumn("code", 1042, "character"),
        SentColumn("number", 23, "integer"),
        SentColumn("same", 1186, "interval"),
    )

    def answer(*rows: tuple[str | None, ...]) -> ServerAnswer:
        return ServerAnswer((Sent(columns, rows, f"SELECT {len(rows)}"),))

    old = answer(("24 mons", "abc", "none", "24 mons"), (None, "d", "01", None))
    new = answer(("2 years", "a", "1", "24 mons"), (None, "d", "1", None))
    assert rewritten(pg_connection, old, new) == answer(
        ("2 years", "abc", "none", "24 mons"), (None, "d", "01", None)
    )
    assert rewritten(pg_connection, answer(), new) == answer()


@pytest.mark.pg(matrix=False)
def test_collations_of_icu_get_servers_that_have_it(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    for sql, needed in (
        ("-- of icu\nCREATE TABLE t (a text)", False),
        ("CREATE COLLATION c (provider = icu, locale = 'de')", True),
    ):
        schema.write_text(f"{sql};\n")
        options = read_options(None, {"old": "17", "new": "18", "schema": [schema]})
        with Workbench() as workbench:
            ((old, new),) = pairs(options, workbench.resolver)
            (trial,) = Trials(workbench.clusters).of(options)
            usual = tuple(workbench.resolver.resolve(cell.request) for cell in (old, new))
        assert all(install.has("icu") for install in trial.installs) if needed else trial.installs == usual


@pytest.mark.pg(matrix=False)
def test_servers_start_while_files_are_read(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text("CREATE TABLE t (a text);\n")
    options = read_options(None, {"old": "17", "new": "18", "schema": [schema]})
    with Workbench() as workbench:
        trials = Trials(workbench.clusters)
        trials.begin(pairs(options, workbench.resolver)[0])
        begun = list(workbench)
        (trial,) = trials.of(options)
        assert [side.cluster for side in trial.sides] == begun == list(workbench)
        assert [cluster.install for cluster in begun] == list(trial.installs)


def test_the_names_of_placeholders_are_kept() -> None:
    sql, names = with_parameters(
        "SELECT * FROM t WHERE a = :since AND b = %(until)s AND c = ? AND d = :since"
    )
    assert names == ("since", "until", "")
    assert "d = $1" in sql


def test_a_file_gives_values_by_name_and_by_place(tmp_path: Path) -> None:
    file = tmp_path / "values.toml"
    file.write_text(
        'since = 2024-01-01\nopen = true\n[[statement]]\nfile = "q.sql"\nline = 5\nvalues = [1, "x"]\n'
    )
    given = GivenParameters.read(str(file))
    assert given.of(Query("SELECT $1, $2", "query", "q.sql", (1,), names=("since", "open"))) == {
        1: "2024-01-01",
        2: "true",
    }
    assert given.of(Query("SELECT $1,\n$2", "query", "q.sql", (4, 5))) == {1: "1", 2: "x"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("since = [1]", "since is \\[1\\]"),
        ("statement = 5", "has no list \\[\\[statement\\]\\]"),
        ('[[statement]]\nfile = "q.sql"', "entry 1: .*missing required field `line`"),
        ("since = ", "can't be read"),
    ],
)
def test_a_file_of_another_form_is_refused_before_anything_runs(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "values.toml"
    file.write_text(text)
    with pytest.raises(PgFeaturesError, match=message):
        read_options(None, {"old": "14", "new": "18", "queries": [tmp_path], "parameters": file})


LOG = """\
2026-01-01 00:00:00 UTC [1] LOG:  execute <unnamed>: SELECT * FROM t
\tWHERE a = $1 AND b = $2
2026-01-01 00:00:00 UTC [1] DETAIL:  parameters: $1 = 'it''s', $2 = NULL
2026-01-01 00:00:01 UTC [1] LOG:  execute s1: SELECT a FROM t WHERE b = $1
2026-01-01 00:00:01 UTC [1] DETAIL:  Parameters: $1 = 'cut o...'...
2026-01-01 00:00:02 UTC [1] LOG:  statement: SELECT 1
"""


def test_a_log_has_the_values_of_parameters(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_text(LOG)
    found = list(read_log(path, "server.log"))
    assert [query.values for query in found] == [("it's", None), (), ()]
    assert [query.lines[0] for query in found] == [1, 4, 6]
    assert found[0].sql == "SELECT * FROM t\nWHERE a = $1 AND b = $2"
