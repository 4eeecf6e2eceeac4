"""Scripts split into statements as psql does it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures.sql.statements import Script, split

from .test_lexer import PIECES


@given(st.one_of(st.text(), PIECES))
def test_nothing_is_lost(text):
    pieces = list(Script(text).pieces())
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.start for piece in pieces] == [
        sum(len(before.text) for before in pieces[:number]) for number in range(len(pieces))
    ]


ATOMIC = (
    "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END"
)


def statements(text: str) -> list[str]:
    return [piece.sql for piece in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        (";;", []),
        ("-- only a comment\n", []),
        ("SELECT ';' ; /* ; */ SELECT $$;$$;", ["SELECT ';'", "SELECT $$;$$"]),
        (
            "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3",
            ["CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", "SELECT 3"],
        ),
        (
            f"{ATOMIC}; SELECT 1",
            [ATOMIC, "SELECT 1"],
        ),
        ("BEGIN; SELECT 1; END;", ["BEGIN", "SELECT 1", "END"]),
        ("SELECT 1 \\gset a_\nSELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("SELECT 1 \\; SELECT 2;", ["SELECT 1 ; SELECT 2"]),
        ("\\connect x\nSELECT 1;", ["SELECT 1"]),
    ],
)  # fmt: skip
def test_statements(text, expected):
    assert statements(text) == expected


def test_data_of_copy_is_no_sql():
    text = "COPY t (a) FROM stdin;\nit's; \\N\n\\.\nSELECT 1;\n"
    assert [(piece.kind, piece.text) for piece in Script(text).pieces() if piece.kind != "gap"] == [
        ("statement", "COPY t (a) FROM stdin;"),
        ("data", "it's; \\N\n\\.\n"),
        ("statement", "SELECT 1;"),
    ]


def test_copy_from_a_file_has_no_data():
    assert statements("COPY t FROM '/x'; SELECT 1;") == ["COPY t FROM '/x'", "SELECT 1"]


def test_a_place_is_that_of_the_first_word():
    found = split("SELECT 1;\n\n  -- why\n  SELECT 2;\n")
    assert [(piece.line, piece.column) for piece in found] == [(1, 1), (4, 3)]
