"""The names in statements, as servers resolved them, and what follows from them."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.evidence.find import Answers, find
from pytest_pgfeatures.readiness.model import Query, VersionPair
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.readiness.servers.analyzed import NO_NAMES, Analyzed, Servers, Signature
from pytest_pgfeatures.readiness.servers.parsing import analyses, parse_all
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.version import PgMajor, as_release


def analyzed(connection, sql: str, **given) -> Analyzed:
    query = Query(sql, "query", "q.sql", tuple(range(1, sql.count("\n") + 2)), **given)
    (answer,) = parse_all(connection, [query], timeout=60)
    assert answer.refusal is None
    assert answer.names is not NO_NAMES
    return answer.names


@pytest.mark.pg("all")
def test_a_statement_has_its_names_as_the_server_resolved_them(pg_connection):
    pg_connection.autocommit = True
    pg_connection.execute("CREATE SCHEMA app")
    pg_connection.execute('CREATE TABLE app.things (name text, "Größe" int, place point)')
    pg_connection.execute("CREATE FUNCTION app.lower(int) RETURNS int LANGUAGE sql AS 'SELECT $1'")
    pg_connection.execute("SET search_path = app, public")
    sql = """SELECT 'é', lower(t."Größe"), lower(name), pg_catalog.upper(name)
        FROM things t WHERE (SELECT count(*) FROM pg_class WHERE relname = name) > 1
            AND box '(1,1),(0,0)' @> place"""
    found = analyzed(pg_connection, sql)
    called = {sql[at:].split("(")[0]: each.signature for at, each in found.calls.items()}
    functions = {
        name: signature for name, signature in called.items() if name.replace(".", "_").isidentifier()
    }
    assert functions == {"lower": "lower(text)", "pg_catalog.upper": "upper(text)", "count": "count()"}
    assert found.calls[sql.index("lower(t.")].signature == "app.lower(integer)"
    assert found.calls[sql.index("@>")].signature == "@>(box,point)"
    assert found.columns[sql.index('t."Größe"')] == ("app.things", "integer")
    assert found.columns[sql.index("place")] == ("app.things", "point")
    assert found.columns[sql.index("relname")] == ("pg_class", "name")
    assert found.columns[sql.index("name)", sql.index("relname"))] == ("app.things", "text")


@pytest.mark.pg("all")
def test_variables_of_a_function_move_no_place(pg_connection):
    pg_connection.autocommit = True
    sql = "SELECT some_variable, lower(relname::text) FROM pg_class"
    found = analyzed(pg_connection, sql, variables=(("some_variable", "integer"),))
    assert found.calls[sql.index("lower")].signature == "lower(text)"
    assert found.columns[sql.index("relname")] == ("pg_class", "name")


@pytest.mark.pg("13")
@pytest.mark.parametrize(
    ("sql", "behaviors"),
    [
        # the operands are columns of a subquery, whose types only the server knows
        ("SELECT q.a @ q.b FROM (SELECT one AS a, other AS b FROM boxes) AS q", {"14/box-in-box"}),
        ("SELECT q.a @ q.b FROM (SELECT n AS a, n AS b FROM boxes) AS q", set()),
        # an argument of another type makes it another function
        ("SELECT var_samp('nan')", {"14/var-samp-of-nan"}),
        ("SELECT var_samp('nan', 'nan')", set()),
        ("SELECT factorial(-1::bigint)", {"14/factorial-of-negative"}),
        ("SELECT factorial(-1::numeric)", set()),
        ('SELECT app.bit_count(n), "bit_count"(n), bit_count(n) FROM boxes', {"14/bit-count-hides"}),
        ("SELECT app.bit_count(n) FROM boxes", set()),
        # the type of an argument makes it a constant of that type
        ("SELECT exists_('array_cat(anyarray, anyarray)')", {"14/signature-of-array-cat"}),
        ("SELECT spelled('array_cat(anyarray, anyarray)')", set()),
        ("SELECT EXTRACT(hour FROM q.d) FROM (SELECT current_date AS d) AS q", {"14/extract-hour-of-date"}),
        ("SELECT EXTRACT(hour FROM q.d) FROM (SELECT now() AS d) AS q", {"14/extract-type"}),
        ("SELECT EXTRACT(hour FROM current_date + n) FROM boxes", {"14/extract-hour-of-date"}),
        (
            "SELECT EXTRACT(hour FROM date_trunc('day', q.d)) FROM (SELECT now() AS d) AS q",
            {"14/extract-type"},
        ),
    ],
)
def test_evidence_is_what_the_old_server_resolved(pg_connection, sql, behaviors):
    pg_connection.autocommit = True
    for statement in (
        "CREATE SCHEMA app",
        "SET search_path = app, public",
        "CREATE TABLE boxes (one box, other box, n int)",
        "CREATE OPERATOR @ (LEFTARG = int, RIGHTARG = int, PROCEDURE = int4mul)",
        "CREATE FUNCTION factorial(numeric) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION var_samp(text, text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION bit_count(int) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION exists_(regprocedure) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION spelled(text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ):
        pg_connection.execute(statement)
    read = Application(frozenset({"schema", "queries"}), (Query(sql, "query", "q.sql", (1,)),))
    pair = VersionPair(as_release(PgMajor("13")), as_release(PgMajor("14")))

    def rows(query):
        return pg_connection.execute(query).fetchall()

    with Watchdog(pg_connection, 60) as watchdog:
        asked = analyses({}, watchdog)
        found = find(read, pair, rows, servers=Answers(Servers(old=asked))).findings
    assert {one.behavior for one in found} == behaviors


def test_a_function_is_hidden_only_where_the_new_server_calls_another(tmp_path):
    (tmp_path / "schema.sql").write_text("""\
CREATE FUNCTION bit_count(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION bit_count(bytea) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION trim_array(text[], int) RETURNS text[] LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION unistr(a text) RETURNS text LANGUAGE sql AS 'SELECT $1';
CREATE SCHEMA aside;
CREATE FUNCTION aside.date_bin(a text, b text, c text) RETURNS text LANGUAGE sql AS 'SELECT a';
CREATE FUNCTION aside.of_text(a text) RETURNS text LANGUAGE sql AS $$ SELECT date_bin(a, a, a) $$;
CREATE FUNCTION aside.string_to_table(a text, b text) RETURNS SETOF text LANGUAGE sql AS 'SELECT a';
CREATE FUNCTION aside.lines(a text) RETURNS SETOF text LANGUAGE sql AS $$ SELECT * FROM string_to_table(a, a) $$;
""")
    (tmp_path / "q.sql").write_text("""\
SELECT bit_count(1);
SELECT trim_array('{a}'::text[], 1);
SELECT unistr('a');
SELECT bit_count('a'::bytea);
""")
    inputs = {"schema": [str(tmp_path / "schema.sql")], "queries": [str(tmp_path / "q.sql")]}
    found = readiness(old="13", new="14", stages=("incompatibilities",), **inputs)
    assert {
        (one.place.file.rpartition("/")[2], one.place.line, one.behavior)
        for one in found.findings
        if one.place
        and (one.certainty == "affects" or "where a call does not write its schema" in one.message)
    } == {
        ("schema.sql", 2, "14/bit-count-hides"),
        ("schema.sql", 4, "14/unistr-hides"),
        ("schema.sql", 9, "14/string-to-table-hides"),
        ("q.sql", 3, "14/unistr-hides"),
        ("q.sql", 4, "14/bit-count-hides"),
    }


def test_functions_that_differ_are_told_once_where_they_stand_and_only_if_a_type_or_volatility_differs(
    tmp_path,
):
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (a text[], d timestamptz);\n")
    (tmp_path / "q.sql").write_text("""\
SELECT 1,
       extract(epoch FROM d)
  FROM t;
SELECT array_append(a, 'x'), array_cat(a, a) FROM t;
SELECT 1 FROM t WHERE a IS NOT NULL
   AND to_char(extract(epoch FROM d), '9') <> '3'
   AND extract(epoch FROM d) / 2 > 3 AND extract(year FROM d) IN (1, 2);
SELECT CAST(extract(hour FROM d) AS double precision) AS h FROM t;
SELECT sum(extract(hour FROM d))::double precision AS h FROM t;
""")
    inputs = {"schema": [str(tmp_path / "schema.sql")], "queries": [str(tmp_path / "q.sql")]}
    found = readiness(old="13", new="14", **inputs).findings
    assert [
        (one.stage, one.certainty, one.behavior, one.place and (one.place.line, one.place.column))
        for one in found
        if one.place is not None
    ] == [
        ("queries", "affects", "14/extract-type", (2, 8)),
        ("queries", "may affect", "14/extract-type", (6, 16)),
    ]


def test_a_cast_of_a_column_of_another_type_is_no_difference(tmp_path):
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (a int);\n")
    (tmp_path / "q.sql").write_text("""\
SELECT attname FROM pg_attribute WHERE coalesce(attstattarget, -1) = -1;
SELECT attstattarget FROM pg_attribute;
""")
    inputs = {"schema": [str(tmp_path / "schema.sql")], "queries": [str(tmp_path / "q.sql")]}
    found = readiness(old="15", new="16", **inputs).findings
    assert not [one for one in found if one.place is not None]  # whatever reads integer reads smallint


@pytest.mark.pg(matrix=False)
def test_an_extensions_function_with_other_arguments_is_not_the_applications(tmp_path):
    (tmp_path / "schema.sql").write_text("CREATE EXTENSION pageinspect;\n")
    (tmp_path / "q.sql").write_text("SELECT live_items FROM bt_page_stats('t_pkey', 1);\n")
    found = readiness(
        old="13", new="18", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["queries"],
    )  # fmt: skip
    assert not found.findings
    assert not found.not_looked_at


def test_a_call_of_constants_is_evidence_only_if_the_servers_answer_differently(tmp_path):
    (tmp_path / "q.sql").write_text("""\
SELECT power(2::numeric, 3);
SELECT power(0.1::numeric, 25);
SELECT power(a, 3) FROM (SELECT 2::numeric) AS t (a);
SELECT pg_size_pretty(5 * 1000000::bigint);
SELECT pg_size_pretty('5000000'::bigint), pg_size_pretty(5000000000000000000);
SELECT setseed(0.5);
""")
    (tmp_path / "schema.sql").write_text("""\
CREATE FUNCTION f(n numeric) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
    RETURN power(n, 2) + power(3::numeric, 2);
END $$;
""")
    inputs = {"schema": [str(tmp_path / "schema.sql")], "queries": [str(tmp_path / "q.sql")]}
    found = readiness(old="14", new="16", stages=("incompatibilities",), **inputs).findings
    shown = [(one.place.line, one.place.column, one.behavior) for one in found if one.place]
    assert sorted(shown) == [
        (2, 8, "16/numeric-power-near-zero"),
        (3, 8, "16/numeric-power-near-zero"),
        (3, 12, "16/numeric-power-near-zero"),
        (5, 43, "15/size-in-petabytes"),
        (6, 8, "15/random-sequence"),
    ]


@pytest.mark.pg(matrix=False)
def test_the_servers_values_of_a_constant_tell_whether_it_changes(tmp_path):
    (tmp_path / "schema.sql").write_text("CREATE TABLE terms (id int, lasts interval DEFAULT '1.99 years');")
    (tmp_path / "q.sql").write_text(
        "SELECT 'é' FROM terms WHERE lasts > '1.99 years';\nSELECT id FROM terms WHERE lasts > '2.9 decades';\n"
    )
    found = readiness(
        old="14", new="15", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["incompatibilities"],
    )  # fmt: skip
    rounded = [each for each in found.findings if each.behavior == "15/interval-fraction-rounds"]
    assert {(each.certainty, str(each.place).rpartition("/")[2]) for each in rounded} == {
        ("affects", "q.sql:1:37"),
        ("may affect", "schema.sql:1:52"),
    }


@pytest.mark.pg(matrix=False)
def test_the_type_of_a_call_is_that_of_the_server(tmp_path):
    (tmp_path / "schema.sql").write_text("CREATE TABLE rates (rate float8, count int);")
    (tmp_path / "q.sql").write_text(
        "SELECT (rate * 3)::text FROM rates;\nSELECT (count * 3)::text FROM rates;\n"
        "SELECT avg(rate)::text FROM rates;\nSELECT avg(count)::text FROM rates;\n"
    )
    found = readiness(
        old="11", new="12", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["incompatibilities"],
    )  # fmt: skip
    shown = [each.place.line for each in found.findings if each.behavior == "12/float8-text" and each.place]
    assert sorted(shown) == [1, 3]


@pytest.mark.parametrize(
    ("types", "behavior"),
    [
        ("integer", "17/random-hides"),
        ("bigint", "17/random-hides"),
        ("date", "19/random-hides"),
        ("timestamp without time zone", "19/random-hides"),
    ],
)
def test_an_own_function_is_hidden_by_the_behavior_whose_function_the_new_server_chooses(types, behavior):
    def resolved(schema: str):
        def ask(query: Query) -> Analyzed:
            at = query.sql.find("random(")
            called = query.sql.startswith("SELECT")
            chosen = Signature(f"{schema}random", (types, types), "v")
            return Analyzed(calls={at: chosen}) if called else NO_NAMES

        return ask

    lines = (
        f"CREATE FUNCTION random(a {types}, b {types}) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'",
        f"SELECT random(NULL::{types}, $1)",
    )
    queries = tuple(Query(sql, "schema", "q.sql", (line,)) for line, sql in enumerate(lines, start=1))
    pair = VersionPair(as_release(PgMajor("16")), as_release(PgMajor("19")))
    servers = Servers(resolved("public."), resolved(""))

    def rows(sql: str) -> list[tuple[object, ...]]:
        return [("public", "random", 2, 2, [types, types])] if "FROM pg_catalog.pg_proc" in sql else []

    found = find(Application(frozenset({"schema"}), queries), pair, rows, servers=Answers(servers)).findings
    assert [(each.place.line, each.behavior) for each in found if each.place] == [
        (1, behavior),
        (2, behavior),
    ]


def test_an_operator_of_the_same_name_and_result_for_other_types_is_no_difference(tmp_path):
    (tmp_path / "q.sql").write_text(
        "SELECT attname FROM pg_attribute WHERE attnum > 0 AND attstattarget > 100\n"
    )
    found = readiness(old="16", new="17", stages=("queries",), queries=[str(tmp_path / "q.sql")])
    assert found.findings == ()


def test_a_function_of_an_extension_that_the_server_chose_is_looked_up_in_search_path():
    queries = (
        Query(
            "CREATE FUNCTION f_unaccent(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT unaccent($1) $$",
            "schema", "q.sql", (1,),
        ),
        Query(
            "CREATE MATERIALIZED VIEW names AS\n  SELECT f_unaccent(name) FROM people",
            "schema", "q.sql", (2, 3),
        ),
    )  # fmt: skip
    chosen = Signature("public.unaccent", ("text",), "s", "unaccent")

    def asked(query: Query) -> Analyzed | None:
        at = query.sql.find("unaccent(")
        return Analyzed(calls={at: chosen}) if at >= 0 and query.inside else None

    pair = VersionPair(as_release(PgMajor("16")), as_release(PgMajor("17")))
    found = find(Application(frozenset({"schema"}), queries), pair, None, servers=Answers(Servers(asked)))
    assert [each.place.line for each in found.findings if each.place and "17.1" in each.items] == [1, 3]
