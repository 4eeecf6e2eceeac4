"""Scripts cut into statements, meta-commands and data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures.sql import Blank, CopyData, MetaCommand, Statement, split, statements

FRAGMENTS = (
    *("SELECT 1", "INSERT INTO t", "(", ")", ";", "\n", " ", "'a;b'", "E'\\';'", '"a;"', "$$;$$", "$x$ $$;"),
    *("/* ; */", "-- ;\n", "/*", "'", "CREATE FUNCTION f()", "BEGIN ATOMIC", "BEGIN", "CASE", "END", "\\;"),
    *(
        "COPY t FROM stdin;\n",
        "\\.\n",
        "1\t2\n",
        "\\copy t from stdin\n",
        "\\gset\n",
        "\\echo a;b\n",
        "\\r\n",
    ),
    *("SET standard_conforming_strings = off;", "\r\n", "\\", ":a", "or replace", "procedure"),
)
SCRIPTS = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join) | st.text(max_size=50)


def of(text: str, **options: bool) -> list[tuple[str, str]]:
    """The pieces that are more than blanks: what they are, and their text."""
    return [
        (type(piece).__name__, piece.sql if isinstance(piece, Statement) else piece.text)
        for piece in split(text, **options)
        if not isinstance(piece, Blank)
    ]


def sql(*texts: str) -> list[tuple[str, str]]:
    return [("Statement", text) for text in texts]


@given(SCRIPTS, st.booleans())
def test_nothing_is_lost_and_each_piece_is_where_it_says(text: str, psql: bool) -> None:
    position = 0
    pieces = list(split(text, psql=psql))
    assert "".join(piece.text for piece in pieces) == text
    for piece in pieces:
        assert piece.text
        assert piece.start == position
        position += len(piece.text)
        begins = piece.begins if isinstance(piece, Statement) else (piece.line, piece.column)
        assert begins == line_and_column(text, piece.start)


@given(SCRIPTS)
def test_each_position_of_a_statement_is_found_in_the_script(text: str) -> None:
    for piece in split(text):
        if not isinstance(piece, Statement):
            continue
        sent = piece.sql
        for position in range(1, len(sent) + 1):
            line, column = piece.locate(position)
            at = offset(text, line, column)
            assert text[at] == sent[position - 1] or text[at : at + 2] == f"\\{sent[position - 1]}"
        first = next(token for token in piece.tokens if token.significant)
        assert (piece.line, piece.column) == line_and_column(text, first.start)


@given(SCRIPTS)
def test_a_statement_alone_is_one_statement(text: str) -> None:
    for piece in split(text, psql=False):
        if "off" not in text and isinstance(piece, Statement) and piece.complete and piece.ended_by == ";":
            (alone,) = (again for again in split(piece.text, psql=False) if not isinstance(again, Blank))
            assert isinstance(alone, Statement)
            assert (alone.text, alone.sql) == (piece.text, piece.sql)


def line_and_column(text: str, at: int) -> tuple[int, int]:
    before = text[:at]
    return before.count("\n") + 1, at - before.rfind("\n")


def offset(text: str, line: int, column: int) -> int:
    return sum(len(known) + 1 for known in text.split("\n")[: line - 1]) + column - 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        (";; SELECT 1 ;;", ["SELECT 1 "]),
        ("SELECT ';', \";\", $$;$$, E'\\';' /* ; /* ; */ ; */ -- ;\n;", None),
        ("CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3",
         ["CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", "SELECT 3"]),
        ("SELECT (1; SELECT 2", ["SELECT (1; SELECT 2"]),
        ("SELECT 1); SELECT 2", ["SELECT 1)", "SELECT 2"]),
        ("BEGIN; END; SELECT 1", ["BEGIN", "END", "SELECT 1"]),
        ("CREATE TABLE begin (a int); SELECT CASE WHEN a THEN 1 END; SELECT 2",
         ["CREATE TABLE begin (a int)", "SELECT CASE WHEN a THEN 1 END", "SELECT 2"]),
        ("/* a */ -- b\n", []),
        ("-- a\n/*+ hint */ SELECT 1; -- c\nSELECT 2", ["/*+ hint */ SELECT 1", "SELECT 2"]),
        ("", []),
    ],
)  # fmt: skip
def test_where_statements_end(text: str, parts: list[str] | None) -> None:
    expected = [text[:-1]] if parts is None else parts
    for psql in (True, False):
        assert of(text, psql=psql) == sql(*expected)
    assert [found.sql for found in statements(text)] == expected


BODY = "BEGIN ATOMIC SELECT 1; SELECT CASE a WHEN 1 THEN 2; END; SELECT 3; END"


@pytest.mark.parametrize(
    "head",
    [
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql ",
        "create or replace function f(a int) returns int ",
        "CREATE PROCEDURE p() ",
        "CREATE OR REPLACE PROCEDURE s.p() LANGUAGE sql ",
        "/* c */ CREATE /* c */ FUNCTION f() ",
    ],
)
def test_a_body_of_sql_is_part_of_its_statement(head: str) -> None:
    assert of(f"{head}{BODY}; SELECT 1") == sql(f"{head}{BODY}", "SELECT 1")


def test_other_statements_have_no_body() -> None:
    assert len(of(f"CREATE VIEW f AS {BODY}; SELECT 1")) == 6
    quoted = "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'begin return 1; end'"
    assert of(f"{quoted}; SELECT 1") == sql(quoted, "SELECT 1")


def test_a_dump() -> None:
    dump = (
        "--\n-- PostgreSQL database dump\n--\n\n\\restrict k\n\n"
        "SET standard_conforming_strings = on;\nSELECT pg_catalog.set_config('search_path', '', false);\n"
        'COPY public.t (a, "from") FROM stdin;\n1\tx;\\.\n\\N\t\'\n\\.\n\n\n'
        "COPY public.empty FROM stdin;\n\\.\n\nALTER TABLE public.t ADD b int;\n\\unrestrict k\n"
    )
    pieces = [piece for piece in split(dump) if not isinstance(piece, Blank)]
    assert [type(piece) for piece in pieces] == [
        *(MetaCommand, Statement, Statement, Statement, CopyData, Statement, CopyData, Statement, MetaCommand)
    ]
    restrict, data, none = pieces[0], pieces[4], pieces[6]
    assert isinstance(restrict, MetaCommand)
    assert (restrict.name, restrict.arguments, restrict.line) == ("restrict", "k", 5)
    assert isinstance(data, CopyData)
    assert (data.data, data.text, data.line) == ("1\tx;\\.\n\\N\t'\n", "1\tx;\\.\n\\N\t'\n\\.\n", 10)
    assert isinstance(none, CopyData)
    assert none.data == ""


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("COPY t FROM STDIN WITH (FORMAT csv);\na;b\n\\.\nSELECT 1;", ["a;b\n"]),
        ("copy t (a) from stdin where (a > 1) ;\r\n1\r\n\\.\r\nSELECT 1;", ["1\r\n"]),
        ("COPY t FROM stdin; -- note\n1\n\\.\nSELECT 1;", ["1\n"]),
        ("COPY t FROM stdin \\g\n1\n\\.\nSELECT 1;", ["1\n"]),
        ("COPY t FROM stdin \\; COPY t FROM stdin;\n1\n\\.\n2\n\\.\nSELECT 1;", ["1\n", "2\n"]),
        ("\\copy t (a) from stdin csv\n1\n\\.\nSELECT 1;", ["1\n"]),
        ("\\copy t FROM  STDIN\n1\n\\.\nSELECT 1;", ["1\n"]),
        ("COPY t FROM stdout;\n1\n\\.\nSELECT 1;", ["1\n"]),
        ("\\copy t from stdout\n1\n\\.\nSELECT 1;", ["1\n"]),
        ("COPY t FROM 'from stdin';\nSELECT 1;", []),
        ("COPY t TO stdout;\nSELECT 1;", []),
        ("COPY (SELECT a FROM stdin) TO stdout;\nSELECT 1;", []),
        ("\\copy t from 'from stdin'\nSELECT 1;", []),
        ("\\copy t from pstdin\nSELECT 1;", []),
        ("INSERT INTO copy SELECT * FROM stdin;\nSELECT 1;", []),
    ],
)
def test_data_for_copy(text: str, data: list[str]) -> None:
    pieces = list(split(text))
    assert [piece.data for piece in pieces if isinstance(piece, CopyData)] == data
    last = pieces[-1]
    assert isinstance(last, Statement)
    assert last.sql == "SELECT 1"


def test_which_copies_write() -> None:
    found = statements(
        "COPY t TO STDOUT; COPY (SELECT 'to stdout') TO '/x'; COPY (TABLE a) TO stdin; SELECT 1"
    )
    assert [statement.writes_stdout for statement in found] == [True, False, True, False]


def test_data_that_nothing_ends_goes_to_the_end() -> None:
    (*_, data) = split("COPY t FROM stdin;\n1\n2")
    assert isinstance(data, CopyData)
    assert data.data == "1\n2"
    (*_, data) = split("COPY t FROM stdin;\n1\n\\.")
    assert isinstance(data, CopyData)
    assert (data.data, data.text) == ("1\n", "1\n\\.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1 \\gset\nSELECT 2;", [*sql("SELECT 1"), ("MetaCommand", "\\gset"), *sql("SELECT 2")]),
        ("SELECT 1 \\g (format=csv) f", [*sql("SELECT 1"), ("MetaCommand", "\\g (format=csv) f")]),
        ("SELECT\n\\echo a;b\n1;", sql("SELECT\n\n1")),
        ("SELECT (\n\\r\nSELECT 1;", [("MetaCommand", "\\r"), *sql("SELECT 1")]),
        ("SELECT 1\\; SELECT 2;", sql("SELECT 1; SELECT 2")),
        (
            "\\if a\nSELECT 1;\n\\endif",
            [("MetaCommand", "\\if a"), *sql("SELECT 1"), ("MetaCommand", "\\endif")],
        ),
        ("\\a \\t \\\\ SELECT 1", [("MetaCommand", "\\a "), ("MetaCommand", "\\t \\\\"), *sql("SELECT 1")]),
        ("SELECT :x, :'y';", sql("SELECT :x, :'y'")),
    ],
)
def test_meta_commands(text: str, expected: list[tuple[str, str]]) -> None:
    assert of(text) == expected


def test_without_psql_a_backslash_is_part_of_the_statement() -> None:
    assert of("SELECT 1 \\gset ; SELECT 2", psql=False) == sql("SELECT 1 \\gset ", "SELECT 2")
    assert of("COPY t FROM stdin;\n1;", psql=False) == sql("COPY t FROM stdin", "1")


def test_set_changes_how_strings_are_read() -> None:
    for setting in (
        "SET standard_conforming_strings = off",
        "set local standard_conforming_strings to 'OFF'",
    ):
        text = f"{setting}; SELECT 'a\\';b'; SET standard_conforming_strings = on; SELECT 'c\\'; SELECT 1"
        assert of(text)[1] == ("Statement", "SELECT 'a\\';b'")
        assert of(text)[-2:] == sql("SELECT 'c\\'", "SELECT 1")
    assert of("SELECT 'a\\';b'") == sql("SELECT 'a\\'", "b'")


def test_a_statement_knows_whether_it_is_complete_and_its_first_words() -> None:
    whole, cut = split("/* x */ Create /* y */ TABLE T (a);SELECT 'x")
    assert isinstance(whole, Statement)
    assert isinstance(cut, Statement)
    assert (whole.complete, whole.ended_by, whole.words) == (True, ";", ("create", "table", "t", "a"))
    assert (cut.complete, cut.ended_by, cut.line, cut.column) == (False, "", 1, 36)
    (opened,) = statements("SELECT (1")
    assert not opened.complete
