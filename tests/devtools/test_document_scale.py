"""The experiments at the documents' scale: the shortest first, while they fit."""

from __future__ import annotations

from devtools.document_scale import DISK, MEMORY, fitting

from pytest_pgfeatures.measure.takes import Takes


def test_what_takes_the_least_is_first_and_the_whole_fits_two_hours():
    known = {
        "an hour": Takes(3600.0, 1, 1),
        "a minute": Takes(60.0, DISK, MEMORY),
        "59 minutes": Takes(3540.0, None, 1),
        "a second": Takes(1.0, 1, 1),
        "unknown": Takes(None, 1, 1),
        "large": Takes(1.0, DISK + 1, 1),
        "hungry": Takes(1.0, 1, MEMORY + 1),
    }
    assert fitting(known) == ["a second", "a minute", "59 minutes"]
    del known["a second"]
    assert fitting(known) == ["a minute", "59 minutes", "an hour"]
    assert fitting(known, taken=60.0) == ["a minute", "59 minutes"]
    assert fitting({}) == []
