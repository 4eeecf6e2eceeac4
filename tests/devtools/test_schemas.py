"""The published JSON Schemas are those of the classes that the verbs write."""

from __future__ import annotations

import pytest
from devtools.schemas import DOCUMENTS, PLACE, text


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_schema_is_that_of_the_class(name: str) -> None:
    assert (PLACE / f"{name}.json").read_text(encoding="utf-8") == text(name), "run make schemas"


def test_descriptions_are_those_of_the_classes() -> None:
    assert "the checksum of the archive that it was unpacked from" in text("result")
    assert "the ratio that the document reports" in text("measure").lower()
