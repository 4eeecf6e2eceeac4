"""Differences between two majors, without a server."""

import io
import itertools
import json
import shlex

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.behaviors.delta import Group, delta
from pytest_pgfeatures.behaviors.model import Behavior, NotYet, behavior
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.report.delta import proof, render_delta
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, as_release, read_version


def declare(id, expect, **fields):
    @behavior(id, title=f"title of {id}", area=fields.pop("area", "sql"), source="s", expect=expect, **fields)
    def observe(lab):
        return lab

    return Behavior.of(observe)


BEHAVIORS = [
    declare("14/breaks", {"<14": 1, ">=14": 2}, kind="incompatibility", remedy="Do the other thing."),
    declare("15/new", {"<15": "no", ">=15": "yes"}),
    declare("16/always", {"all": 1}),
    declare("16/minor", {"<16.5": "bug", ">=16.5": "fixed"}),
    declare("16/changes-again", {"<16": 0, "16": 1, ">=17": 2}, since="16"),
]


def ids(old, new):
    return [change.behavior.id for change in delta(read_version(old), read_version(new), BEHAVIORS)]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (13, 15, ["14/breaks", "15/new"]),
        (14, 15, ["15/new"]),
        (15, 16, ["16/minor", "16/changes-again"]),
        (16, 17, []),
        ("16.2", "16.6", ["16/minor"]),
        (18, 19, []),
    ],
)
def test_what_differs_between_two_versions(old, new, found):
    assert ids(old, new) == found


def test_both_sides_are_given():
    (change,) = delta(PgMajor(14), PgMajor(15), BEHAVIORS)
    assert (change.before, change.after) == ("no", "yes")


@pytest.mark.parametrize(("old", "new"), [*itertools.combinations_with_replacement(MAJORS, 2)])
def test_a_title_is_shown_where_its_change_lies_between_the_versions_and_nowhere_else(old, new):
    shown = {change.behavior.id for change in delta(old, new, atlas().values())}
    between, same_or_absent = set(), set()
    for each in atlas().values():
        if each.since is None or each.since_in(old) != each.since:
            continue  # the newest release of the old major has it
        if old.last < as_release(each.since_in(new)) <= new.last:
            between.add(each.id)
            before, after = each.row(old), each.row(new)
            if before.value == after.value or (before.not_yet and each.kind != "feature"):
                same_or_absent.add(each.id)
    assert shown == between - same_or_absent


def test_what_breaks_or_is_a_changed_default_was_there_before():
    """Else no two versions would have it in their list."""
    changes = [each for each in atlas().values() if each.kind != "feature" and each.since]
    assert [each.id for each in changes if each.before_change().not_yet] == []


@pytest.mark.parametrize(
    ("id", "old", "new"),
    [("19/jit", 11, 12), ("19/wal-compression-on", 13, 18), ("18/subscription-streams", 14, 16)],
)
def test_a_later_title_is_not_shown_for_an_earlier_difference(id, old, new):
    found = atlas()[id]
    assert found.expect(PgMajor(old)) != found.expect(PgMajor(new))
    assert delta(PgMajor(old), PgMajor(new), [found]) == ()


@pytest.mark.parametrize(
    ("id", "old", "new"),
    [
        ("15/hash-mem-multiplier", 12, 15),
        ("17/vacuum-buffer-usage-limit", 13, 18),
        ("18/subscription-streams", 13, 18),
    ],
)
def test_what_users_had_without_the_setting_is_a_changed_default(id, old, new):
    (change,) = delta(PgMajor(old), PgMajor(new), [atlas()[id]])
    assert change.group is Group.DEFAULT


@pytest.mark.parametrize(
    ("old", "new", "since"),
    [
        ("14.10", "15.19", "15.14"),
        ("14.10", "14.19", "14.19"),
        ("14.10", "18", "18"),
        ("14.19", "18", None),
        ("14", "18", None),
        ("14.10", "15.13", None),
        ("12.9", "13.22", "13.22"),
        ("12", "13.21", None),
        ("18", "19", None),
    ],
)
def test_a_change_that_minor_releases_brought_lies_between_releases(old, new, since):
    changes = delta(read_version(old), read_version(new), [atlas()["18/pg-dump-restrict"]])
    assert [str(change.since) for change in changes] == ([since] if since else [])


def test_each_change_that_minor_releases_brought_says_so():
    """Its releases are those of its table, so that no pair of releases is without it."""
    backported = [each for each in atlas().values() if each.backports]
    assert backported
    for each in backported:
        assert [each.expect(release) for release in each.backports] == [each.expect(each.since)] * len(
            each.backports
        )
        for release in each.backports:
            before = PgVersion(f"{release.major}.{release.minor - 1}")
            assert each.expect(before) != each.expect(release)


def printed(old, new):
    from rich.console import Console

    console = Console(width=100, record=True, file=io.StringIO())
    versions = read_version(old), read_version(new)
    for part in render_delta(*versions, delta(*versions, BEHAVIORS)):
        console.print(part)
    return console.export_text()


def test_an_upgrade_lists_incompatibilities_with_their_remedy_before_features_gained():
    text = printed(13, 15)
    assert "New features, 13 to 15: 1" in text
    assert "Incompatibilities, 13 to 15: 1" in text
    assert "Do the other thing." in text
    assert text.index("title of 14/breaks") < text.index("title of 15/new")


def test_releases_of_one_major_can_be_compared():
    assert "New features, 16.2 to 16.6: 1" in printed("16.2", "16.6")


GONE_AGAIN = declare(
    "17/gone-again",
    {"<15": NotYet("42883"), "15..16": 1, ">=17": "gone"},
    kind="incompatibility",
    since="17",
    remedy="r",
)
EXTENDED = declare("16/extended", {"<14": NotYet("42601"), "14..15": 1, ">=16": 2}, since="16")
DEFAULT = declare(
    "16/other-default", {"<14": NotYet("42704"), "14..15": "a", ">=16": "b"}, kind="default", since="16"
)


@pytest.mark.parametrize(
    ("found", "old", "new", "group"),
    [
        (GONE_AGAIN, 16, 17, Group.BREAKS),
        (GONE_AGAIN, 14, 17, None),
        (GONE_AGAIN, 14, 15, None),
        (EXTENDED, 13, 14, None),
        (EXTENDED, 13, 18, Group.NEW),
        (EXTENDED, 15, 16, Group.NEW),
        (DEFAULT, 15, 16, Group.DEFAULT),
        (DEFAULT, 13, 16, None),
        (DEFAULT, 16, 18, None),
    ],
)
def test_what_only_differs_because_there_is_no_such_feature_yet_breaks_nothing(found, old, new, group):
    changes = delta(PgMajor(old), PgMajor(new), [found])
    assert [change.group for change in changes] == ([group] if group else [])


@pytest.mark.parametrize("more", [[], ["--catalog"]])
def test_a_list_runs_from_the_older_to_the_newer_version_only(more):
    result = CliRunner().invoke(pgfeatures, ["delta", "18", "13", *more])
    assert result.exit_code == 2
    assert "18 to 13 runs backwards" in result.output
    assert "write 13 before 18" in result.output


def test_the_command_needs_no_server_and_no_install():
    result = CliRunner().invoke(pgfeatures, ["delta", "15", "16"], env={"PGFEATURES_CACHE": "/nonexistent"})
    assert result.exit_code == 0
    assert "16/parallel-hash-full-join" in result.output
    verbose = CliRunner().invoke(pgfeatures, ["delta", "15", "16", "--verbose"]).output
    assert "Parallel Hash Full Join" in verbose
    assert "pgfeatures verify --pg 15,16 -k 16/parallel-hash-full-join" in " ".join(verbose.split())


def test_a_proof_selects_its_own_behavior_and_no_other():
    for each in atlas().values():
        keyword = shlex.split(proof(PgMajor(15), PgMajor(16), each))[-1]
        names = {other.id: (other.id, f"[{other.id}]", other.area) for other in atlas().values()}
        selected = [id for id, words in names.items() if any(keyword in word for word in words)]
        assert selected == [each.id]


def test_an_area_narrows_what_is_listed():
    shown = CliRunner().invoke(pgfeatures, ["delta", "14", "15", "--area", "privileges"]).output
    assert "15/create-in-public" in shown
    assert "15/hash-mem-multiplier" not in shown
    refused = CliRunner().invoke(pgfeatures, ["delta", "14", "15", "--area", "nothing"])
    assert refused.exit_code == 2
    assert "there is no area 'nothing'; there are: " in refused.output


def test_markdown_has_a_table_for_each_group():
    page = CliRunner().invoke(pgfeatures, ["delta", "14", "15", "--format", "markdown"]).output
    assert "## Incompatibilities: " in page
    assert "| 15.1 | privileges | Only the owner of the schema public may create objects in it |" in page
    assert "## Changed defaults: " in page


def test_the_command_can_write_json():
    result = CliRunner().invoke(pgfeatures, ["delta", "15", "16", "--json", "-"])
    found = {change["behavior"]: change for change in json.loads(result.stdout)}
    change = found["16/parallel-hash-full-join"]
    assert (change["before"], change["after"]) == ("Hash Full Join", "Parallel Hash Full Join")
    assert change["since"] == "16"
    assert change["manual"].startswith("https://www.postgresql.org/docs/16/")
    assert found["16/octal-literals"]["conditions"] == {"42601": "syntax_error"}
    assert CliRunner().invoke(pgfeatures, ["delta", "16", "16", "--json", "-"]).stdout == "[]\n"


def test_the_command_says_so_if_nothing_differs():
    result = CliRunner().invoke(pgfeatures, ["delta", "16", "16"])
    assert result.exit_code == 0
    assert "nothing that differs between 16 and 16" in result.output


def test_a_version_that_can_t_be_read_is_an_error_with_a_remedy():
    result = CliRunner().invoke(pgfeatures, ["delta", "15", "sixteen"])
    assert result.exit_code == 2
    assert "sixteen" in result.output
    assert "Traceback" not in result.output
