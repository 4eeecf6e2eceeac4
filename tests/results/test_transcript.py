"""A lab's steps, as text and as plain values."""

import json

from pytest_pgfeatures.json_values import from_plain, to_plain
from pytest_pgfeatures.results.transcript import Entry, Transcript, as_text


def test_rows_are_shown_as_psql_shows_them():
    entry = Entry(
        "main",
        "SELECT a, b FROM t",
        columns=("a", "b"),
        rows=(("1", "x"), ("10", "NULL")),
        row_count=2,
        status="SELECT 2",
    )
    assert entry.render() == ("main> SELECT a, b FROM t\n a  | b\n----+------\n 1  | x\n 10 | NULL\n(2 rows)")


def test_a_long_result_says_how_much_of_it_is_shown():
    entry = Entry("main", "SELECT g", columns=("g",), rows=(("1",),), row_count=7)
    assert entry.render().endswith("(7 rows, the first 1 shown)")


def test_an_error_is_shown_with_its_sqlstate():
    entry = Entry("writer", "SELECT 1/0", sqlstate="22012", error="division by zero")
    assert entry.render() == "writer> SELECT 1/0\nERROR:  22012 division_by_zero: division by zero"


def test_a_lost_connection_has_no_sqlstate():
    assert Entry("main", "SELECT 1", error="gone").render().endswith("ERROR:  gone")


def test_further_lines_of_a_statement_stand_below_its_first():
    assert Entry("main", "SELECT 1,\n  2").render() == "main> SELECT 1,\n        2"


def test_notices_and_plans_are_kept():
    entry = Entry("main", "EXPLAIN SELECT", plan="Result", notices=("WARNING:  careful",))
    assert entry.render().splitlines() == ["main> EXPLAIN SELECT", "WARNING:  careful", "Result"]


def test_an_entry_survives_json():
    entry = Entry(
        "main", "SELECT", columns=("a",), rows=(("1",), ("2",)), row_count=2, notices=("NOTICE:  n",)
    )
    assert from_plain(json.loads(json.dumps(to_plain(entry))), Entry) == entry


def test_values_as_text():
    assert [as_text(value) for value in (None, True, 1.5, b"\x00\xff", "a")] == [
        "NULL",
        "t",
        "1.5",
        "\\x00ff",
        "a",
    ]
    assert as_text("x" * 500).endswith("(500 characters)")


def test_a_transcript_is_its_entries_in_order():
    transcript = Transcript()
    transcript.add(Entry("a", "SELECT 1", status="SELECT 1"))
    transcript.add(Entry("b", "BEGIN", status="BEGIN"))
    assert len(transcript) == 2
    assert transcript.render() == "a> SELECT 1\nSELECT 1\nb> BEGIN\nBEGIN"
