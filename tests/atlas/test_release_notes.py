"""Every entry of the release notes has a behavior, or its reason."""

from devtools.coverage import by_release_note, page

from pytest_pgfeatures.atlas.release_notes import ENTRIES
from pytest_pgfeatures.atlas.without_behavior import WITHOUT_BEHAVIOR
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.behaviors.release_note import order

BEHAVIORS = list(atlas().values())
HAVING = by_release_note(BEHAVIORS)


def test_there_are_all_entries_in_order():
    assert len(ENTRIES) == 247
    assert list(ENTRIES) == sorted(ENTRIES, key=order)
    assert sum("x" not in key for key in ENTRIES) == 201


def test_an_entry_has_a_behavior_or_a_reason():
    assert [key for key in ENTRIES if (key in HAVING) == (key in WITHOUT_BEHAVIOR)] == []


def test_a_key_is_one_of_an_entry():
    assert {*HAVING, *WITHOUT_BEHAVIOR} <= set(ENTRIES)


def test_few_entries_have_no_behavior():
    assert len(WITHOUT_BEHAVIOR) <= 45
    assert all(reason.tried for reason in WITHOUT_BEHAVIOR.values())


def test_the_page_names_what_is_missing():
    text = page([])
    assert "| 14.9 |" in text
    assert "**None yet.**" in text
