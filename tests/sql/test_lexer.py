"""Tokens: what each rule of PostgreSQL's scanners makes of a text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_pgfeatures.sql import Token, tokens
from pytest_pgfeatures.version import PgVersion

ALPHABET = "aeEuU&nxXbB_$01.:;,()[]{}'\"\\/*-+<>=!@ \t\r\n?é\ufeff"
TEXTS = st.text(ALPHABET, max_size=60) | st.text(max_size=40)


def significant(text: str, **options: bool) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(text, **options) if token.significant]


@given(TEXTS, st.booleans(), st.booleans())
@example("'", False, False)
@example("U&'\\", False, False)
def test_nothing_is_lost(text: str, psql: bool, conforming: bool) -> None:
    found = list(tokens(text, psql=psql, standard_conforming_strings=conforming))
    assert "".join(token.text for token in found) == text
    position = 0
    for token in found:
        assert token.text
        assert token.start == position
        position = token.end
    assert all(token.complete for token in found[:-1])


@given(TEXTS)
def test_a_text_without_backslashes_and_colons_is_the_same_for_psql(text: str) -> None:
    text = text.replace("\\", "").replace(":", "")
    assert list(tokens(text, psql=True)) == list(tokens(text, psql=False))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("SELECT a_1$ é", "word word word"),
        ('"a""b" U&"d\\0061t" u&"x"', "identifier identifier identifier"),
        ("'it''s' N'n' B'01' x'1F' U&'\\0061' e'\\'' E''", "string " * 7),
        ("$$a'b$$ $tag$ $$ $other$ $tag$ $é$x$é$", "string string string"),
        ("a$$b$$", "word"),
        ("1$$b$$", "number string"),
        ("$1$$b$$", "parameter string"),
        ("1 1.5 .5 1. 1e5 1.e-5 .5E+5 0x1F 0o17 0b01 1_000", "number " * 11),
        ("1..10", "number punctuation number"),
        ("$1 $", "parameter other"),
        ("1e5$ 1_0$a 0x1$$ 1.5e5$", "other other other other"),
        ("1$ 1.5$ 1e+5$$a$$ .5$", "number other number other number string number other"),
        ("1a 0x 1e $1a 1.5E'x' 0x1Fg", "other other other other other string other"),
        ("a::int b:=c ..", "word punctuation word word punctuation word punctuation"),
        ("a[1:2]", "word punctuation number punctuation number punctuation"),
        ("(a,b);", "punctuation word punctuation word punctuation punctuation"),
        ("1+-2", "number operator operator number"),
        ("1@-2", "number operator number"),
        ("1<--2\n", "number operator"),
        ("1-/*c*/2", "number operator number"),
        ("a->>'b' <= >= <> != => ~~* #>> @? `", "word operator string" + " operator" * 9),
        ("/* a /* b */ c */ -- d", ""),
        ("/*/ */ x", "word"),
        ("\\ {", "other other"),
        ("\ufeffSELECT", "word"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    assert [kind for kind, _ in significant(text)] == kinds.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E'a\\'b' c", ["E'a\\'b'", "c"]),
        ("E'a\\\\' c", ["E'a\\\\'", "c"]),
        ("'a\\' c", ["'a\\'", "c"]),
        ("'a'\n'b' 'c'", ["'a'\n'b'", "'c'"]),
        ("'a' -- comment\n  -- another\n 'b'", ["'a' -- comment\n  -- another\n 'b'"]),
        ("'a' /* comment */\n'b'", ["'a'", "'b'"]),
        ("'a' 'b'", ["'a'", "'b'"]),
        ("E'a'\n'\\'' c", ["E'a'\n'\\''", "c"]),
        ("'a'\n'\\' c", ["'a'\n'\\'", "c"]),
        ("=-+*- x", ["=-+*", "-", "x"]),
        ("+++", ["+", "+", "+"]),
        ("~-+", ["~-+"]),
        ("*/*c*/", ["*"]),
    ],
)
def test_where_tokens_end(text: str, expected: list[str]) -> None:
    assert [found for _, found in significant(text)] == expected


@pytest.mark.parametrize(
    "text", ["'a", "E'a\\'", '"a', "$a$ $b$", "/* /* */", "U&'x", "$$", "E'\\", "'a'\n'b"]
)
def test_what_the_end_cuts_off_is_not_complete(text: str) -> None:
    (*before, last) = tokens(f"SELECT {text}")
    assert last.text == text
    assert not last.complete
    assert all(token.complete for token in before)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("14.1", [("number", "0"), ("word", "x1F"), ("number", "1."), ("number", ".5"), ("other", "\v")]),
        ("15.9", [("other", "0x1F"), ("number", "1."), ("number", ".5"), ("other", "\v")]),
        ("16.1", [("number", "0x1F"), ("number", "1."), ("number", ".5")]),
    ],
)
def test_numbers_end_as_the_version_has_it(version: str, expected: list[tuple[str, str]]) -> None:
    found = tokens("0x1F 1. .5 \v", version=PgVersion(version))
    assert [(token.kind, token.text) for token in found if token.significant] == expected


def test_a_backslash_escapes_where_strings_do_not_conform() -> None:
    assert significant("'a\\'b' c", standard_conforming_strings=False)[0] == ("string", "'a\\'b'")
    assert significant("U&'a\\' b", standard_conforming_strings=False) == [
        ("string", "U&'a\\'"),
        ("word", "b"),
    ]
    assert significant('U&"a"', standard_conforming_strings=False) == [("identifier", 'U&"a"')]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1 \\g", [("word", "SELECT"), ("number", "1"), ("command", "\\g")]),
        ("\\d+ t\nx", [("command", "\\d+ t"), ("word", "x")]),
        ("\\a \\b", [("command", "\\a "), ("command", "\\b")]),
        ("\\a \\\\ SELECT", [("command", "\\a \\\\"), ("word", "SELECT")]),
        ("\\echo 'a\\'b\\\\' c", [("command", "\\echo 'a\\'b\\\\' c")]),
        ('\\echo "a\\b" `c\\d` \\x', [("command", '\\echo "a\\b" `c\\d` '), ("command", "\\x")]),
        ("\\echo 'open\nx", [("command", "\\echo 'open"), ("word", "x")]),
        ("\\! ls \\ 'x\ny", [("command", "\\! ls \\ 'x"), ("word", "y")]),
        ("\\copy t from 'a\\b'\ny", [("command", "\\copy t from 'a\\b'"), ("word", "y")]),
        ("\\copyx \\a", [("command", "\\copyx "), ("command", "\\a")]),
        ("\\; \\:", [("punctuation", "\\;"), ("punctuation", "\\:")]),
        ("'\\d' $$\\d$$", [("string", "'\\d'"), ("string", "$$\\d$$")]),
        (":a :'b' :\"c\" :{?d}", [("variable", text) for text in (":a", ":'b'", ':"c"', ":{?d}")]),
        (":'b c' ::x", [("punctuation", ":"), ("string", "'b c'"), ("punctuation", "::"), ("word", "x")]),
    ],
)
def test_what_is_psqls(text: str, expected: list[tuple[str, str]]) -> None:
    assert significant(text, psql=True) == expected


def test_a_token_says_where_it_is() -> None:
    assert list(tokens("a 'b")) == [
        Token("word", "a", 0),
        Token("space", " ", 1),
        Token("string", "'b", 2, complete=False),
    ]
