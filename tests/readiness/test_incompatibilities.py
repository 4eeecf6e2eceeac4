"""Each behavior that breaks gets one verdict, each cause is found once, and catalogs are asked."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import EvidenceKind, ParseNode, ResultOf, Unseen
from pytest_pgfeatures.atlas.release_notes import ENTRIES
from pytest_pgfeatures.behaviors.delta import Group, delta
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.causes import explained, explained_result, once
from pytest_pgfeatures.readiness.evidence.find import find
from pytest_pgfeatures.readiness.evidence.statements import of_node
from pytest_pgfeatures.readiness.evidence.subjects import subjects_between
from pytest_pgfeatures.readiness.model import Finding, Place, Query, VersionPair
from pytest_pgfeatures.readiness.names import Names, OwnRelation
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.readiness.running.judge import Judgment
from pytest_pgfeatures.readiness.servers.analyzed import Servers
from pytest_pgfeatures.readiness.statements.context import StatementContext
from pytest_pgfeatures.version import MAJORS, PgMajor, as_release


def pair(old, new):
    return VersionPair(as_release(PgMajor(old)), as_release(PgMajor(new)))


def application(*statements, given=("schema", "queries"), file="a.sql"):
    queries = [
        Query(sql, "schema", file, tuple(range(number, number + sql.count("\n") + 1)))
        for number, sql in enumerate(statements, start=1)
    ]
    return Application(frozenset(given), tuple(queries))


EVERYTHING = ("schema", "queries", "config", "hba", "ident", "scripts", "data")


@pytest.mark.parametrize(("old", "new"), [("9.6", "19"), ("13", "18"), ("17", "18")])
def test_the_counts_add_up_to_what_breaks(old, new):
    found = find(application("SELECT 1", given=EVERYTHING), pair(old, new), None)
    breaking = [
        change.behavior.id
        for change in delta(as_release(PgMajor(old)), as_release(PgMajor(new)), atlas().values())
        if change.group in (Group.BREAKS, Group.DEFAULT)
    ]
    verdicts = [verdict.behavior for verdict in found.verdicts()]
    assert set(breaking) <= set(verdicts)
    assert len(verdicts) == len(set(verdicts))


def test_what_is_nested_too_deeply_to_be_read_is_told():
    depth = (
        8000  # more than the grammar takes; the greatest depth that Python reads differs between its versions
    )
    deep = "SELECT " + "1 + (" * depth + "pg_switch_xlog()::text::int" + ")" * depth
    seen = find(application("SELECT 1", deep), pair("9.6", "10"), None).searched
    assert [(place.line, reason.partition(":")[0]) for place, reason in seen.in_part] == [
        (2, "it is nested too deeply for its names to be read")
    ]


def test_what_is_missing_is_named():
    (verdict,) = [
        verdict
        for verdict in find(application(given=("queries",)), pair("18", "19"), None).verdicts()
        if verdict.behavior == "19/radius"
    ]
    assert verdict.answer == "not looked at"
    assert "--hba" in verdict.reason


def test_a_behavior_goes_with_its_entry():
    found = find(application("SELECT area(circle '<(0,0),1e200>')"), pair("11", "12"), None)
    answers = {verdict.behavior: verdict.answer for verdict in found.verdicts()}
    assert answers["12/geometric-overflow"] == "affects"
    assert answers["12/geometric-nan-equal"] == "affects"
    assert answers["12/setseed"] == "does not"


def test_every_entry_says_how_it_shows_or_that_nothing_shows_it():
    kept = VersionPair(as_release(MAJORS[0]), as_release(MAJORS[-1]))
    everything = [subjects_between(kept)] + [
        subjects_between(VersionPair(as_release(old), as_release(new)))
        for old, new in itertools.pairwise(MAJORS)
    ]
    told = {item for subjects in everything for one in subjects if one.affects for item in one.items}
    assert sorted(set(ENTRIES) - told - CHANGED_NOTHING) == []


CHANGED_NOTHING = {"15.6", "15.9", "19.16"}
"""What the newest releases on both sides do alike: behaviors say so."""


def test_what_no_input_shows_has_a_reason():
    reasons = [
        kind.reason for found in atlas().values() for kind in found.affects if isinstance(kind, Unseen)
    ]
    assert all(reasons)
    assert len(reasons) < 25


def test_each_declaration_is_a_kind_of_evidence():
    declared = [kind for found in atlas().values() for kind in found.affects]
    assert all(isinstance(kind, EvidenceKind) for kind in declared)
    assert len(declared) > 300


@pytest.mark.pg("17")
def test_the_old_servers_catalogs_are_asked(pg_connection):
    pg_connection.execute('CREATE ROLE "pgf two\nlines"')
    try:
        pg_connection.execute("CREATE TABLE parents (a int); CREATE TABLE children () INHERITS (parents)")

        def rows(query):
            return pg_connection.execute(query).fetchall()

        found = find(application("ANALYZE parents"), pair("17", "19"), rows).findings
    finally:
        pg_connection.execute('DROP ROLE "pgf two\nlines"')
    items = {item: one for one in found for item in one.items}
    assert items["18.4"].place == Place("a.sql", 1, 9)
    assert "two" in items["19.5"].object


@pytest.mark.pg("17", needs=["icu"])
def test_each_column_of_a_foreign_key_is_compared_with_its_own(pg_connection):
    pg_connection.execute("""
        CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TABLE n (a text COLLATE "C", b text COLLATE any_case, PRIMARY KEY (a, b), UNIQUE (b, a));
        CREATE TABLE same (x text COLLATE "C", y text COLLATE any_case, FOREIGN KEY (x, y) REFERENCES n (a, b));
        CREATE TABLE other (x text COLLATE "C", y text COLLATE "POSIX", FOREIGN KEY (x, y) REFERENCES n (a, b));
        CREATE TABLE crossed (x text COLLATE "C", y text COLLATE any_case, FOREIGN KEY (x, y) REFERENCES n (b, a));
    """)

    def rows(query):
        return pg_connection.execute(query).fetchall()

    found = find(application("SELECT 1"), pair("17", "18"), rows).findings
    told = [one.object for one in found if one.behavior == "18/foreign-key-collations"]
    assert sorted(each.rpartition(" of ")[2] for each in told) == ["crossed", "other"]  # one a foreign key


@pytest.mark.pg("9.6,13,18")
def test_the_queries_run_on_old_majors(pg_connection):
    subjects = subjects_between(VersionPair(as_release(MAJORS[0]), as_release(MAJORS[-1])))
    queries = [kind.query for subject in subjects for kind in subject.affects if hasattr(kind, "query")]
    assert queries
    for query in queries:
        pg_connection.execute(query)


def refused(line, sqlstate, message):
    return Finding("queries", "error", "affects", message, "", place=Place("a.sql", line), sqlstate=sqlstate)


def test_what_another_stage_saw_of_one_cause_is_one_finding():
    shown = find(application("SELECT pg_switch_xlog()", "SELECT 1"), pair("9.6", "10"), None)
    seen = refused(1, "42883", "function pg_switch_xlog() does not exist")
    other = refused(2, "42883", "function f() does not exist")
    (one, two) = once([explained(seen, shown), *shown.findings, explained(other, shown)], [])
    assert one.items == ("10.3",)
    assert one.behavior == "10/pg-switch-xlog"
    assert two == other


def test_what_may_have_one_cause_is_one_finding():
    shown = find(application("SELECT EXTRACT(epoch FROM now()) / 3600", "SELECT 1"), pair("13", "14"), None)
    seen = Finding(
        "queries", "warning", "may affect", "it calls other functions", "", place=Place("a.sql", 1)
    )
    other = replace(seen, place=Place("a.sql", 2))
    one, two = once([explained(seen, shown), *shown.findings, explained(other, shown)], [])
    assert (one.stage, one.items, one.behavior) == ("queries", ("14.5",), "14/extract-type")
    assert two == other


@pytest.mark.parametrize(
    ("type_", "rewritten", "cause"),
    [
        ("interval", False, "15/interval-fraction-rounds"),
        ('"char"', True, "15/char-high-bit"),
        ('"char"', False, None),
        ("integer", True, None),
    ],
)
def test_the_types_of_other_values_tell_the_cause(type_, rewritten, cause):
    shown = find(application("SELECT 1"), pair("14", "15"), None)
    seen = Finding("results", "warning", "affects", "its result differs", "", place=Place("a.sql", 1))
    judgment = Judgment("differs", types=frozenset({type_}))
    query = Query("SELECT 1", "query", "a.sql", (1,))
    found, _ = explained_result(seen, query, shown, judgment, rewritten=rewritten)
    assert found.behavior == cause


def test_what_only_results_show_is_not_looked_for():
    @behavior(
        "18/app-numbers",
        title="Numbers are rounded",
        area="ours",
        source="our own rules, 1",
        kind="incompatibility",
        remedy="Round them.",
        expect={"<18": "1.5", ">=18": "2"},
        affects=ResultOf("numeric"),
    )
    def numbers(lab):
        return "2"

    found = find(application("SELECT 1.5"), pair("17", "18"), None, behaviors=[numbers.behavior])
    assert [each.answer for each in found.verdicts() if each.behavior == "18/app-numbers"] == [
        "not looked at"
    ]


RULE = ParseNode("AccessPriv", within=("GrantStmt",), priv_name="^rule$")
UNCAST = ParseNode("FuncCall", outside=("TypeCast",), funcname="^f$")
ANALYZED = ParseNode("ExplainStmt", options="analyze(?! off)", lacks={"options": "buffers"})
UNIQUE = ParseNode("AlterTableCmd", missing_ok="true", def_="CONSTR_UNIQUE")


@pytest.mark.parametrize(
    ("node", "sql", "places"),
    [
        (RULE, "GRANT select (b), rule ON t TO x", ["rule"]),
        (RULE, "GRANT rule TO x", []),
        (UNCAST, "SELECT a.f(b), f(c)::int", []),
        (UNCAST, "SELECT f(c) || f(d)::text", ["f"]),
        (ANALYZED, "EXPLAIN (COSTS off, ANALYZE) SELECT 1", ["ANALYZE"]),
        (ANALYZED, "EXPLAIN (ANALYZE off) SELECT 1", []),
        (ANALYZED, "EXPLAIN (ANALYZE, BUFFERS) SELECT 1", []),
        (UNIQUE, "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int UNIQUE", ["a"]),
        (UNIQUE, "ALTER TABLE t ADD COLUMN a int UNIQUE", []),
        (ParseNode("SubLink"), "SELECT 1 WHERE EXISTS (SELECT 1)", ["EXISTS"]),
        (ParseNode("CopyStmt", relation="<foreign>"), "COPY far FROM STDIN", ["far"]),
        (ParseNode("CopyStmt", relation="<foreign>"), "COPY near FROM STDIN", []),
        (ParseNode("FuncCall", extension="ltree", funcname="^nlevel$"), "SELECT nlevel(path)", []),
    ],
)
def test_nodes_of_trees(node, sql, places):
    names = Names()
    names.relations["far"] = [OwnRelation(None, {"ip": "inet", "id": "integer"})]
    names.named["foreign"] = {"far"}
    context = StatementContext(Query(sql, "queries", "a.sql", (1,)), names, Servers())
    assert {*node.names} & context.keys or not places
    found = of_node(node, context)
    assert [context.tokens[at].text for at in found] == places


def test_a_users_own_behavior_is_looked_for():
    @behavior(
        "18/app-old-view",
        title="The view old_report is gone",
        area="ours",
        source="our own rules, 1",
        kind="incompatibility",
        remedy="Read new_report.",
        expect={"<18": True, ">=18": False},
        affects=ParseNode("RangeVar", relname="^old_report$"),
    )
    def old_view(lab):
        return True

    found = find(
        application("SELECT 1 FROM old_report"), pair("17", "18"), None, behaviors=[old_view.behavior]
    )
    assert [(one.behavior, one.place.column) for one in found.findings] == [("18/app-old-view", 15)]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("HH24:MI FF3", True),
        ('"FF3" HH24:MI', False),
        ('"at" FF3 "x"', True),
        ('SSSS "SSSSS"', False),
        ('"a"SSSSS', True),
    ],
)
def test_what_a_template_quotes_is_no_evidence(template, expected):
    found = find(application(f"SELECT to_char(now(), '{template}')"), pair("12", "13"), None).findings
    assert any(each.behavior in ("13/to-char-ff", "13/to-char-sssss") for each in found) is expected


def test_each_statement_counts_as_progress():
    seen = []
    inputs = application("SELECT 1", "DO $$ BEGIN PERFORM 2; END $$", "SELECT 3")
    find(inputs, pair("17", "18"), None, progress=lambda done, everything: seen.append((done, everything)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_names_that_a_program_fills_in_are_not_the_applications(tmp_path):
    (tmp_path / "a.pl").write_text('$dbh->do("CREATE SEQUENCE $name"); $dbh->do("DROP FUNCTION f($name)");\n')
    found = readiness(old="13", new="14", queries=[tmp_path / "a.pl"], stages=["incompatibilities"])
    assert "14/sequence-as-type" not in {each.behavior for each in found.findings}


def test_a_function_that_only_may_be_the_applications_is_no_proof(tmp_path):
    (tmp_path / "a.sql").write_text("SELECT trim_array(a, 1) FROM missing;\n")
    found = readiness(old="13", new="14", queries=[tmp_path / "a.sql"], stages=["incompatibilities"])
    assert {each.certainty for each in found.findings if each.behavior == "14/trim-array-hides"} == {
        "may affect"
    }
