"""Every entry of the release notes has a behavior, or its reason."""

from pytest_pgfeatures.report.coverage import by_release_note, page

from pytest_pgfeatures.atlas.release_notes import ENTRIES
from pytest_pgfeatures.atlas.without_behavior import WITHOUT_BEHAVIOR
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.behaviors.release_note import major_of, order

BEHAVIORS = list(atlas().values())
HAVING = by_release_note(BEHAVIORS)

UNFINISHED = {"10", "11", "12", "13", "14", "15", "16", "17", "18", "19"}
"""Majors with entries that nothing observes yet."""


def test_there_are_all_entries_in_order():
    assert len(ENTRIES) == 247
    assert list(ENTRIES) == sorted(ENTRIES, key=order)
    assert sum("x" not in key for key in ENTRIES) == 201


def test_an_entry_has_a_behavior_or_a_reason():
    finished = [key for key in ENTRIES if major_of(key) not in UNFINISHED]
    assert [key for key in finished if (key in HAVING) == (key in WITHOUT_BEHAVIOR)] == []


def test_a_major_is_unfinished_only_while_entries_are_missing():
    missing = {major_of(key) for key in ENTRIES if key not in HAVING and key not in WITHOUT_BEHAVIOR}
    assert missing == UNFINISHED


def test_a_key_is_one_of_an_entry():
    assert {*HAVING, *WITHOUT_BEHAVIOR} <= set(ENTRIES)


def test_few_entries_have_no_behavior():
    assert len(WITHOUT_BEHAVIOR) <= 45
    assert all(reason.tried for reason in WITHOUT_BEHAVIOR.values())


def test_the_page_names_what_is_missing():
    text = page([])
    assert "| 14.9 |" in text
    assert "**None yet.**" in text
