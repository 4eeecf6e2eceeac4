"""The pictures of the documentation are of real runs, and the pages load nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from devtools.pictures import PICTURES, PLACE, Picture, drawn

INDEX = Path(__file__).parents[2] / "docs" / "index.md"


def test_what_a_command_prints_is_drawn_from_the_line_on() -> None:
    picture = Picture("example", "program --option", after="^two", before="^four", width=30)
    svg = drawn(picture, "one\ntwo\nthree" + "!" * 40 + "\nfour\n")
    text = re.sub(r"<[^>]*>", "", svg).replace("&#160;", " ")
    assert "program --option" in text
    assert "one" not in text
    assert "three!!!" in text
    assert "…" in text, "a line that is too long is cut"
    assert "four" not in text


def test_output_without_the_line_is_refused() -> None:
    with pytest.raises(ValueError, match="no line of the output has '= behaviors ='"):
        drawn(Picture("example", "program", after="= behaviors ="), "an error")


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_is_there_and_complete(picture: Picture) -> None:
    svg = (PLACE / f"{picture.name}.svg").read_text(encoding="utf-8")
    assert not re.findall(r"(?:url\(|href=)[\"']?https?:", svg), "the page would load it from elsewhere"
    assert f"pictures/{picture.name}.svg" in INDEX.read_text(encoding="utf-8")
