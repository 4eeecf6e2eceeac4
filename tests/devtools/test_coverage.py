"""Every section of every document has its behaviors."""

from pathlib import Path

import pytest
from devtools.coverage import DOCUMENTS, by_section, experiments_by_section, page, uncovered

from pytest_pgfeatures.behaviors.registry import atlas

BEHAVIORS = list(atlas().values())
PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"


def test_every_section_has_a_behavior():
    assert uncovered(BEHAVIORS) == []


def test_a_section_without_behaviors_is_told():
    kept = [each for each in BEHAVIORS if each.source != "PostgreSQL 16 verification report, 4.2.2"]
    assert "PostgreSQL 16 verification report, 4.2.2" in uncovered(kept)
    assert "**None yet.**" in page(kept)


def test_every_section_that_measures_has_an_experiment_and_each_experiment_a_section():
    there = {(document.name, section.name) for document in DOCUMENTS for section in document.sections}
    assert set(experiments_by_section()) <= there
    assert "No behaviors: it measures speed, as the experiments do.\n\nMeasured by" in page(BEHAVIORS)


def of_documents(behaviors):
    """Those whose source is not an entry of the release notes, which test_release_notes.py is about."""
    return [each for each in behaviors if each.source.rpartition(", ")[2] not in each.release_note]


@pytest.mark.parametrize("place", by_section(of_documents(BEHAVIORS)), ids=", ".join)
def test_every_behavior_is_of_a_section_that_there_is(place):
    there = {
        (document.name, section.name): section for document in DOCUMENTS for section in document.sections
    }
    assert place in there, "correct the behavior's source, or add the section to devtools/coverage.py"
    assert not there[place].without, "it has behaviors after all"


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(BEHAVIORS), "run: make coverage"
