"""Excerpts of servers' logs in reports."""

from __future__ import annotations

from pytest_pgfeatures.server.log_excerpt import LINES, excerpt, shortened

PREFIX = "2026-01-01 00:00:00.000 UTC [1] db"


def test_a_short_log_is_shown_as_it_is():
    text = f"{PREFIX} ERROR:  no\n{PREFIX} STATEMENT:  SELECT\n\t1\n" + "\n".join([f"{PREFIX} LOG:  x"] * 150)
    assert excerpt(text) == text
    assert excerpt("") == ""


def test_of_a_long_statement_its_head_and_tail_are_shown():
    rows = "\n".join(f"\t({number})," for number in range(100_000))
    text = f"{PREFIX} ERROR:  no\n{PREFIX} STATEMENT:  INSERT INTO t VALUES\n{rows}\n{PREFIX} LOG:  after"
    shown = excerpt(text).splitlines()
    assert shown[:3] == [f"{PREFIX} ERROR:  no", f"{PREFIX} STATEMENT:  INSERT INTO t VALUES", "\t(0),"]
    assert "... (99986 lines) ..." in shown
    assert shown[-2:] == ["\t(99999),", f"{PREFIX} LOG:  after"]
    assert len(shown) == 18


def test_of_a_long_line_its_head_and_tail_are_shown():
    shown = shortened("SELECT '" + "x" * 3_000_000 + "' AS last")
    assert shown.startswith("SELECT 'xx")
    assert shown.endswith("xx' AS last")
    assert "(2999617 characters)" in shown
    assert len(shown) < 500


def test_of_many_entries_the_first_and_the_last_are_shown():
    shown = excerpt("\n".join(f"{PREFIX} LOG:  {number}" for number in range(1000))).splitlines()
    assert len(shown) == LINES + 1
    assert shown[0].endswith("LOG:  0")
    assert "... (800 lines) ..." in shown
    assert shown[-1].endswith("LOG:  999")
