"""Declaring behaviors."""

import pytest

from pytest_pgfeatures.behaviors.model import Behavior, NotYet, Remedied, behavior, plain, same
from pytest_pgfeatures.errors import BehaviorError, VersionError
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, read_version


def declare(expect, id="16/something", **fields):
    @behavior(id, title="t", area="a", source="a document, 1.2", expect=expect, **fields)
    def observe(lab):
        return lab

    return Behavior.of(observe)


def test_the_decorated_function_is_returned_as_it_is():
    def observe(lab):
        return 7

    decorated = behavior("a/b", title="t", area="a", source="s", expect={"all": 7})(observe)
    assert decorated is observe
    assert decorated(None) == 7
    assert Behavior.of(decorated).observe is observe


EVERY_KIND = (*map(str, MAJORS), "9.3.5", "19rc1", "27.0")


@pytest.mark.parametrize("text", EVERY_KIND)
def test_every_version_has_one_expectation(text):
    version = read_version(text)
    declared = declare({"<9.4": "a", "9.4..15": "b", ">=16": "c"})
    expected = "a" if version.major < PgMajor("9.4") else "b" if version.major < PgMajor("16") else "c"
    assert declared.expect(version) == expected


@pytest.mark.parametrize(
    ("expect", "named"),
    [
        ({"<15": 1, ">=16": 2}, "no value for 15"),
        ({"<15": 1, ">15": 2}, "no value for 15"),
        ({"9.4..18": 1}, "no value for 9.3,>=19"),
        ({"<=16": 1, ">=16": 2}, "two values for 16"),
        ({"<16.5": 1, ">=16": 2}, "two values for 16..16.4"),
        ({}, "no value for >=9.3"),
        ({"<sixteen": 1}, "sixteen"),
        ({"<9.3": 0, "all": 1}, "'<9.3', in which no supported version is"),
    ],
)
def test_a_gap_or_an_overlap_is_named(expect, named):
    with pytest.raises(BehaviorError) as raised:
        declare(expect)
    assert named in str(raised.value)
    assert "16/something" in str(raised.value)


def test_an_expectation_may_split_a_major_at_a_minor():
    declared = declare({"<16.5": "old", ">=16.5": "new"})
    assert declared.expect(PgVersion("16.4")) == "old"
    assert declared.expect(PgVersion("16.5")) == "new"
    assert declared.expect(PgMajor("16")) == "new"
    assert declared.since == PgVersion("16.5")


def test_rows_may_be_given_in_any_order_and_be_unions():
    declared = declare({">=17,15": "x", "16,<15": "y"})
    assert [declared.expect(PgVersion(n)) for n in ("14.1", "15.1", "16.1", "17.1")] == ["y", "x", "y", "x"]


def test_a_version_before_every_supported_one_is_refused():
    with pytest.raises(VersionError, match=r"9\.3"):
        declare({"all": 1}).expect(PgVersion("9.2.1"))


@pytest.mark.parametrize(
    ("expect", "given", "since"),
    [
        ({"<16": 1, ">=16": 2}, None, "16"),
        ({"all": 1}, None, None),
        ({"<15": 1, "15": 2, ">=16": 3}, None, None),
        ({"<15": 1, "15": 2, ">=16": 3}, "15", "15"),
        ({"<15": 1, "15": 2, ">=16": 3}, "15.2", "15.2"),
        ({"<15.3": 1, ">=15.3": 2}, None, "15.3"),
        ({"15": 1, "!=15": 2}, None, None),
    ],
)
def test_since_is_where_the_expectation_changes_once(expect, given, since):
    found = declare(expect, since=given).since
    assert found == (read_version(since) if since else None)


def test_minor_releases_may_have_brought_it_to_older_majors():
    declared = declare({"<16.5,17..17.1": 1, "16.5..16,>=17.2": 2}, since=["17.2", "16.5"])
    assert (declared.since, declared.backports) == (PgVersion("17.2"), (PgVersion("16.5"),))
    assert str(declared.changed) == "16.5..16.9999,>=17.2"
    assert declared.before_change().value == 1
    assert [declared.has_change(PgVersion(n)) for n in ("16.4", "16.5", "17.1", "17.2")] == [False, True] * 2


@pytest.mark.parametrize(
    "since", [[], ["16", "17.2"], ["17", "16"], ["17.2", "17.1"], ["18", "16.2", "17.1"], ["18", "x"]]
)
def test_versions_that_brought_it_are_in_order_and_one_a_major(since):
    with pytest.raises(BehaviorError, match="has a since"):
        declare({"<16.5": 1, ">=16.5": 2}, since=since)


@pytest.mark.parametrize("id", ["", "16", "16/Upper", "16 x/y", "/x", "16/", "16/ü"])
def test_a_malformed_id_is_refused(id):
    with pytest.raises(BehaviorError, match="not a behavior id"):
        declare({"all": 1}, id=id)


def test_an_unknown_kind_is_refused():
    with pytest.raises(BehaviorError, match="feature or incompatibility or default"):
        declare({"all": 1}, kind="bug")


def test_a_function_without_a_lab_is_refused():
    with pytest.raises(BehaviorError, match=r"def blind\(lab\)"):

        @behavior("16/blind", title="t", area="a", source="s", expect={"all": 1})
        def blind():
            return 1


@pytest.mark.parametrize(
    ("value", "as_plain"),
    [
        ((1, ("a", None)), [1, ["a", None]]),
        ({"a": (True,)}, {"a": [True]}),
        ("x", "x"),
        (None, None),
    ],
)
def test_tuples_become_lists(value, as_plain):
    assert plain(value, "x/y") == as_plain


@pytest.mark.parametrize("value", [1.5, b"x", {1: "a"}, {"a": {2.0}}, [object()], ValueError])
def test_other_types_are_refused_with_the_behavior_s_name(value):
    with pytest.raises(BehaviorError, match=r"^16/something: "):
        plain(value, "16/something")
    with pytest.raises(BehaviorError, match=r"^16/something: "):
        declare({"all": value})


def test_true_is_not_one():
    assert not same(True, 1)
    assert not same([0], [False])
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_the_manual_page_is_of_the_major_that_changed():
    assert declare({"<16": 1, ">=16": 2}, manual="functions-json#X").manual_url == (
        "https://www.postgresql.org/docs/16/functions-json.html#X"
    )
    assert declare({"all": 1}, manual="sql-copy").manual_url == (
        "https://www.postgresql.org/docs/current/sql-copy.html"
    )
    assert declare({"all": 1}).manual_url is None


def test_a_capability_may_be_needed_on_some_versions_only():
    declared = declare({"all": 1}, needs={"icu": ">=10", "pg_dump": "all"})
    assert declared.needs_on(PgMajor("9.6")) == {"pg_dump"}
    assert declared.needs_on(PgMajor("10")) == {"icu", "pg_dump"}
    assert declare({"all": 1}, needs=["icu"]).needs_on(PgMajor("9.3")) == {"icu"}


def test_the_versions_of_a_need_must_be_readable():
    with pytest.raises(BehaviorError, match="16/something needs something: "):
        declare({"all": 1}, needs={"icu": "ten or so"})


def test_not_yet_is_compared_as_its_value():
    declared = declare({"<15": NotYet("42601"), "15": "a", ">=16": "b"})
    assert declared.expect(PgMajor("14")) == "42601"
    assert [row.not_yet for row in declared.expected] == [True, False, False]


def test_an_incompatibility_needs_a_remedy():
    with pytest.raises(BehaviorError, match="16/something is an incompatibility without a remedy"):
        declare({"all": 1}, kind="incompatibility")


def test_an_unknown_isolation_is_refused():
    with pytest.raises(BehaviorError, match="database or transaction or cluster"):
        declare({"all": 1}, isolation="table")


@pytest.mark.parametrize(
    ("given", "keys"),
    [("14.16", ("14.16",)), (["15.1", "15.x2"], ("15.1", "15.x2")), ((), ())],
)
def test_release_notes_are_one_key_or_several(given, keys):
    assert declare({"all": 1}, release_note=given).release_note == keys


@pytest.mark.parametrize("given", ["14", "14.", "14.0", "14.y1", "9.6.1", " 14.1", "014.1", 14.1])
def test_a_malformed_release_note_is_refused(given):
    with pytest.raises(BehaviorError, match=r"such as 14\.16"):
        declare({"all": 1}, release_note=[given])


def test_a_release_note_twice_is_refused():
    with pytest.raises(BehaviorError, match=r"14\.1 twice"):
        declare({"all": 1}, release_note=["14.1", "14.1"])


@pytest.mark.parametrize(
    ("key", "source", "page"),
    [
        ("14.16", "Migration to Version 14, 14.16", "release-14#RELEASE-14-MIGRATION"),
        ("14.x2", "Changes of PostgreSQL 14, 14.x2", "release-14"),
    ],
)
def test_a_release_note_stands_for_the_source_and_the_manual_s_page(key, source, page):
    @behavior("14/x", title="t", area="a", expect={"<14": 1, ">=14": 2}, release_note=key)
    def observe(lab):
        return lab

    found = Behavior.of(observe)
    assert (found.source, found.manual) == (source, page)
    assert found.manual_url == "https://www.postgresql.org/docs/14/" + page.replace("-14", "-14.html", 1)


def test_without_source_and_release_note_it_is_refused():
    with pytest.raises(BehaviorError, match="16/x has no source"):
        behavior("16/x", title="t", area="a", expect={"all": 1})(lambda lab: lab)


def test_a_remedy_gives_what_was_before_if_nothing_else_is_said():
    declared = declare({"<16": 120, ">=16": "42601"}, remedied="SELECT factorial(5)")
    assert [declared.remedied.expect(PgMajor(n)) for n in ("9.3", "15", "16")] == [120, 120, 120]
    assert declared.remedied.remedied is None


def test_a_remedy_may_say_what_it_gives():
    remedied = Remedied(lambda lab: 2, {"<10": NotYet("42883"), ">=10": 2})
    declared = declare({"<16": 1, ">=16": 2}, remedied=remedied)
    assert [declared.remedied.expect(PgMajor(n)) for n in ("9.6", "10")] == ["42883", 2]
    assert declared.remedied.observe(None) == 2


@pytest.mark.parametrize(
    "expect", [{"<15": 1, "15": 2, ">=16": 3}, {"all": 1}, {"<16": NotYet(1), ">=16": 2}]
)
def test_a_remedy_must_say_what_it_gives_where_there_is_no_answer_from_before(expect):
    with pytest.raises(BehaviorError, match="16/something: there is no one answer from before"):
        declare(expect, remedied="SELECT 1")


def test_a_remedy_gives_what_the_versions_just_before_the_change_did():
    declared = declare({"<15": NotYet(1), "15": 2, ">=16": 3}, since="16", remedied="SELECT 1")
    assert declared.remedied.expect(PgMajor("9.6")) == 2
