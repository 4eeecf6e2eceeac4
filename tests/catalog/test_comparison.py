"""Differences between two majors' catalogs, compared with the later one's manual."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.catalog.comparison import CALLS_WORK, compare
from pytest_pgfeatures.catalog.snapshot import Catalog, catalog_of
from pytest_pgfeatures.report.catalog import line
from pytest_pgfeatures.version import PgVersion
from pytest_pgfeatures.workbench import Workbench

FACTS = [
    # (between, kind, object, what), from appendix E of the manual: the release notes of the second
    ("9.6", "10", "program", "initdb --waldir", "new"),
    ("9.6", "10", "function", "pg_current_xlog_location()", "gone"),
    ("9.6", "10", "setting", "min_parallel_relation_size", "gone"),
    ("11", "12", "EXPLAIN option", "SETTINGS", "new"),
    ("11", "12", "operator class", "abstime_ops USING btree FOR abstime", "gone"),
    ("11", "12", "setting", "autovacuum_vacuum_cost_delay", "changed"),
    ("11", "12", "column", "pg_catalog.pg_constraint.consrc", "gone"),
    ("12", "13", "function", "gen_random_uuid()", "new"),
    ("12", "13", "cast", "xid8 AS xid", "new"),
    ("12", "13", "EXPLAIN option", "WAL", "new"),
    ("12", "13", "setting", "wal_keep_segments", "gone"),
    ("13", "14", "operator", "bigint !", "gone"),
    ("13", "14", "type", "int4multirange", "new"),
    ("13", "14", "column", "pg_catalog.pg_stat_activity.query_id", "new"),
    ("13", "14", "error condition", "idle_session_timeout", "new"),
    ("13", "14", "setting", "password_encryption", "changed"),
    ("15", "16", "function", "any_value(anyelement)", "new"),
    ("15", "16", "EXPLAIN option", "GENERIC_PLAN", "new"),
    ("15", "16", "relation", "pg_catalog.pg_stat_io", "new"),
    ("15", "16", "role", "pg_use_reserved_connections", "new"),
    ("16", "17", "extension", "adminpack", "gone"),
    ("16", "17", "keyword", "merge_action", "new"),
    ("16", "17", "program", "pg_createsubscriber", "new"),
    (
        "16",
        "17",
        "extension function",
        "pg_stat_statements: pg_stat_statements_reset(oid, oid, bigint)",
        "changed",
    ),
]


@pytest.fixture(scope="module")
def catalog():
    """A function that gives a major's catalog."""
    with Workbench() as workbench:
        resolver = workbench.resolver
        yield lambda major: catalog_of(resolver.resolve(resolver.cell(major).request), workbench.clusters)


@pytest.mark.parametrize(("old", "new", "kind", "name", "what"), FACTS)
def test_the_manual_says_so(catalog, old, new, kind, name, what):
    found = compare(catalog(old), catalog(new)).differences
    assert [each.what for each in found if (each.kind, each.name) == (kind, name)] == [what]


def test_a_changed_default_is_told_with_both_values(catalog):
    found = compare(catalog("13"), catalog("14")).differences
    (changed,) = [each for each in found if each.name == "password_encryption"]
    assert line(changed).plain == "~ password_encryption  default md5 -> scram-sha-256"


def test_two_builds_of_one_major_do_not_differ(catalog):
    comparison = compare(catalog("pypi:16"), catalog("maven:16"))
    assert [str(line(each)) for each in comparison.differences] == []
    assert any("has none" in why for why in comparison.not_compared)


def a_catalog(version: str, **objects: dict[str, dict[str, str]]) -> Catalog:
    empty = {kind: {} for kind in ("function", "relation", "column", "program", "extension function")}
    return Catalog(PgVersion(version), "path", empty | objects)


def test_columns_of_a_view_that_is_gone_are_not_told_one_by_one():
    old = a_catalog("16.1", relation={"s.v": {}, "s.w": {}}, column={"s.v.a": {}, "s.w.a": {}})
    new = a_catalog("17.1", relation={"s.w": {}}, column={})
    told = [(each.kind, each.name) for each in compare(old, new).differences]
    assert told == [("relation", "s.v"), ("column", "s.w.a")]


def test_a_property_that_the_older_major_does_not_have_is_no_change():
    old = a_catalog("16.1", function={"f()": {"result": "int"}})
    new = a_catalog("17.1", function={"f()": {"result": "int", "parallel": "safe"}})
    assert compare(old, new).differences == ()


def test_a_function_that_got_an_argument_with_a_default_still_takes_its_calls(catalog):
    found = compare(catalog("16"), catalog("17")).differences
    (changed,) = [each for each in found if "pg_stat_statements_reset(" in each.name]
    assert changed.note == CALLS_WORK
    assert changed.after["arguments"].endswith("minmax_only boolean DEFAULT false")
    assert line(changed).plain.endswith(f"; {CALLS_WORK}")


@pytest.mark.parametrize(
    "new",
    [
        {"f(integer, text)": "integer, text"},
        {"f(text, text)": "text, text DEFAULT ''::text"},
        {
            "f(integer, text)": "integer, text DEFAULT ''::text",
            "f(integer, date)": "integer, date DEFAULT now()",
        },
    ],
)
def test_where_calls_fail_it_is_gone(new):
    old = a_catalog("16.1", function={"f(integer)": {"arguments": "integer"}})
    now = a_catalog("17.1", function={name: {"arguments": text} for name, text in new.items()})
    found = compare(old, now).differences
    assert {each.name: each.what for each in found} == {"f(integer)": "gone"} | dict.fromkeys(new, "new")


def test_a_catalog_is_asked_for_once(tmp_path):
    with Workbench() as workbench:
        install = workbench.resolver.resolve("16")
        first = catalog_of(install, workbench.clusters)
        assert catalog_of(install, workbench.clusters) == first
        assert list(workbench) == []
    with Workbench() as workbench:
        workbench.clusters.create = None  # whoever asks a server fails
        assert catalog_of(install, workbench.clusters) == first
