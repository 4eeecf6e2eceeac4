"""SQL cut into tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures.sql.lexer import tokens
from pytest_pgfeatures.version import PgVersion

PIECES = st.lists(
    st.sampled_from(
        ["'", '"', "$$", "$a$", "/*", "*/", "--", "\n", "\\", ";", "(", ")", "E'", "U&'", "begin", "end", "copy",
         "from stdin", "create function",
         "\\.", ":a", "::", "1", "0x1", ".5", "$1", "+", "-", "@", "<>", "é", "\x00"]
    )
).map("".join)  # fmt: skip


def cut(text: str, **options: object) -> list[tuple[str, str]]:
    found = tokens(text, **options)
    return [(token.kind, token.text) for token in found if token.kind != "blank"]


@given(st.one_of(st.text(), PIECES), st.booleans())
def test_nothing_is_lost(text, psql):
    assert "".join(token.text for token in tokens(text, psql=psql)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT a", [("word", "SELECT"), ("word", "a")]),
        ("'it''s'", [("string", "'it''s'")]),
        ("'a\\'b", [("string", "'a\\'"), ("word", "b")]),
        ("E'a\\'b'", [("string", "E'a\\'b'")]),
        ("E'a\\\\'b", [("string", "E'a\\\\'"), ("word", "b")]),
        ("U&'\\0041' U&\"x\"", [("string", "U&'\\0041'"), ("name", 'U&"x"')]),
        ("B'01'X'1F'", [("string", "B'01'"), ("string", "X'1F'")]),
        ('"a""b"', [("name", '"a""b"')]),
        ("$$a;b$$", [("string", "$$a;b$$")]),
        ("$x$ $y$ $x$", [("string", "$x$ $y$ $x$")]),
        ("a$b$c", [("word", "a$b$c")]),
        ("$1+$2", [("parameter", "$1"), ("operator", "+"), ("parameter", "$2")]),
        ("/* a /* b */ c */d", [("comment", "/* a /* b */ c */"), ("word", "d")]),
        ("a--b\nc", [("word", "a"), ("comment", "--b"), ("word", "c")]),
        ("a<>-1", [("word", "a"), ("operator", "<>"), ("operator", "-"), ("number", "1")]),
        ("a@-1", [("word", "a"), ("operator", "@-"), ("number", "1")]),
        ("a*/*b*/c", [("word", "a"), ("operator", "*"), ("comment", "/*b*/"), ("word", "c")]),
        ("a::int", [("word", "a"), ("punctuation", "::"), ("word", "int")]),
        ("x[1:2]", [("word", "x"), ("punctuation", "["), ("number", "1"), ("variable", ":2"),
                      ("punctuation", "]")]),
        (":a :'b' :\"c\"", [("variable", ":a"), ("variable", ":'b'"), ("variable", ':"c"')]),
        ("1.5e3..2", [("number", "1.5e3"), ("punctuation", ".."), ("number", "2")]),
        ("f(1)\\gset p_", [("word", "f"), ("punctuation", "("), ("number", "1"), ("punctuation", ")"),
                           ("command", "\\gset p_")]),
        ("\\set a 'x\\'y' \\echo b", [("command", "\\set a 'x\\'y' "), ("command", "\\echo b")]),
    ],
)  # fmt: skip
def test_tokens(text, expected):
    assert cut(text) == expected


@pytest.mark.parametrize("text", ["'a", '"a', "/* a /* b */", "$a$ b", "E'a\\'"])
def test_what_does_not_end_is_marked(text):
    (token,) = tokens(text)
    assert token.text == text
    assert not token.closed


def test_a_backslash_may_escape_in_old_strings():
    assert cut("'a\\'b'", standard_conforming_strings=False) == [("string", "'a\\'b'")]


@pytest.mark.parametrize(("version", "first"), [("14.1", "0"), ("16.1", "0x1F")])
def test_numbers_end_as_the_version_has_it(version, first):
    assert next(tokens("0x1F", PgVersion(version))).text == first


def test_without_psql_there_are_no_commands_and_variables():
    assert [kind for kind, _ in cut(":a \\x", psql=False)] == ["punctuation", "word", "other", "word"]


LONG = ["'", "E'\\", "/*", "$a$", "((", "--", "\\'", ":a", "1.", "a$", "+-", "\\\\", ";"]


@pytest.mark.parametrize("piece", LONG)
def test_time_is_linear_in_the_text(piece):
    """A text of 200 kB is cut at all: quadratic rules would take minutes."""
    text = piece * (200_000 // len(piece))
    assert sum(len(token.text) for token in tokens(text)) == len(text)
