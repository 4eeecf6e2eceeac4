"""Dataclasses as plain values, and back; values of another form are refused with their path."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_pgfeatures.json_values import FormError, from_plain, to_plain


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    sizes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    parts: tuple[Part, ...]
    by_name: dict[str, tuple[str, int]]
    note: str | None = None


WHOLE = Whole((Part("a", (1, 2.5)), Part("b")), {"x": ("y", 3)})


def test_values_survive_json() -> None:
    assert from_plain(json.loads(json.dumps(to_plain(WHOLE))), Whole) == WHOLE


def test_what_a_later_release_adds_is_ignored() -> None:
    assert from_plain({**to_plain(WHOLE), "later": [1]}, Whole) == WHOLE


def test_a_path_is_text_and_other_objects_are_refused() -> None:
    assert to_plain([Path("/a")]) == ["/a"]
    with pytest.raises(TypeError, match="complex is not supported"):
        to_plain({"a": 1j})


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "$: expected object, got array"),
        ({"by_name": {}}, "$: object missing required field parts"),
        ({"parts": [{"name": 7}], "by_name": {}}, "$.parts[0].name: expected string, got integer"),
        ({"parts": [{"name": "a", "sizes": [True]}]}, "$.parts[0].sizes[0]: expected number, got boolean"),
        ({"parts": [], "by_name": {"x": ["y"]}}, "$.by_name[...]: expected array of length 2, got 1"),
        ({"parts": [], "by_name": {}, "note": 7}, "$.note: expected string | null, got integer"),
        ({"parts": [], "\ud800": 7}, "$: a name or a fixed word has a character that is no Unicode"),
    ],
)
def test_a_value_of_another_form_has_its_path(values: object, said: str) -> None:
    with pytest.raises(FormError) as caught:
        from_plain(values, Whole)
    assert said in str(caught.value)


@pytest.mark.processes
def test_the_library_is_imported_when_values_are_converted() -> None:
    program = "import sys, pytest_pgfeatures.files; print('msgspec' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"
