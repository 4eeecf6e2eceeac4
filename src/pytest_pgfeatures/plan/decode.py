"""Decode JSON as the server prints it, which a strict decoder does not always accept.

``json.loads`` reads nearly all of it. :class:`_Decoder` reads the rest:

- plans nested deeper than the interpreter's recursion limit;
- ANALYZE of a MERGE or an ON CONFLICT on a partitioned table: up to 18 the server prints the counts of tuples
  *within* the list of target tables, where JSON allows no ``"key": value``. They belong to the node.

Up to 12, a Sort's workers come in two lists under one key, of which a strict decoder keeps the last.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

DEEPEST = 25_000
"""The number of lists and objects that may nest: a plan takes two for each of its levels."""

_SPACE = re.compile(r"[ \t\n\r]*").match
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?").match
_WORDS = {"true": True, "false": False, "null": None}
_WORD = re.compile("true|false|null").match


def decode(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        json.JSONDecodeError: a syntax error.
        ValueError: an integer has too many digits for Python.
    """
    try:
        if '"Workers"' in text and '"Async Capable"' not in text:
            return json.loads(text, object_pairs_hook=_with_all_workers)
        return json.loads(text)
    except (RecursionError, json.JSONDecodeError):
        return _Decoder(text).decode()


def _with_all_workers(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. If a key comes twice, it has the workers of both lists."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key == "Workers" and key in found and _are_workers(found[key]) and _are_workers(value):
            workers = {worker["Worker Number"]: worker for worker in found[key]}
            for worker in value:
                workers.setdefault(worker["Worker Number"], {}).update(worker)
            found[key] = [workers[number] for number in sorted(workers)]
        else:
            found[key] = value
    return found


def _are_workers(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(worker, dict) and type(worker.get("Worker Number")) is int for worker in value
    )


class _Decoder:
    """Decodes without recursion, and takes an object's members within a list in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open: list[list[Any] | dict[str, Any]] = []
        """The lists and objects around the current position."""
        self.objects: list[dict[str, Any]] = []
        """The objects among them."""
        self.filled = False
        """Whether the innermost one has an element already, so that a comma must come before the next."""
        self.key: str | None = None
        """The key whose value comes next."""
        self.result: list[Any] = []

    def decode(self) -> Any:
        while True:
            sign = self.sign()
            if self.result:
                if sign:
                    raise self.error("Extra data")
                return self.result[0]
            if not sign:
                raise self.error("Expecting value")
            if self.key is None and (self.closes(sign) or self.parts(sign) or self.is_key(sign)):
                continue
            self.value(sign)

    def sign(self) -> str:
        """The next character that is not white space."""
        space = _SPACE(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def error(self, problem: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(problem, self.text, min(self.at, len(self.text)))

    def closes(self, sign: str) -> bool:
        """Close the innermost list or object, if the sign does."""
        if not self.open or sign != ("]" if isinstance(self.open[-1], list) else "}"):
            return False
        self.at += 1
        closed = self.open.pop()
        if isinstance(closed, dict):
            self.objects.pop()
        self.filled = True
        if not self.open:
            self.result.append(closed)
        return True

    def parts(self, sign: str) -> bool:
        """Read the comma that must come here, if an element precedes it."""
        if not self.filled:
            return False
        if sign != ",":
            raise self.error("Expecting ',' delimiter")
        self.at += 1
        self.filled = False
        return True

    def is_key(self, sign: str) -> bool:
        """Read a string and a colon, in an object or in a list within one."""
        in_object = bool(self.open) and isinstance(self.open[-1], dict)
        if sign != '"':
            if in_object:
                raise self.error("Expecting property name enclosed in double quotes")
            return False
        start = self.at
        word, self.at = scanstring(self.text, start + 1)
        if self.sign() == ":":
            if not self.objects:
                raise self.error("Expecting ',' delimiter")
            self.key = word
            self.at += 1
            return True
        if in_object:
            raise self.error("Expecting ':' delimiter")
        self.add(word)
        return True

    def value(self, sign: str) -> None:
        """Read a value; of a list or an object, its opening bracket."""
        if sign == '"':
            word, self.at = scanstring(self.text, self.at + 1)
            self.add(word)
        elif sign == "[":
            self.opens([])
        elif sign == "{":
            self.opens({})
        elif (said := _WORD(self.text, self.at)) is not None:
            self.at = said.end()
            self.add(_WORDS[said[0]])
        elif (said := _NUMBER(self.text, self.at)) is not None:
            self.at = said.end()
            self.add(float(said[0]) if said[1] or said[2] else int(said[0]))
        else:
            raise self.error("Expecting value")

    def opens(self, value: list[Any] | dict[str, Any]) -> None:
        if self.open:
            self.add(value)
        self.open.append(value)
        if isinstance(value, dict):
            self.objects.append(value)
        if len(self.open) > DEEPEST:
            raise self.error(f"Nested more than {DEEPEST} deep")
        self.at += 1
        self.filled = False

    def add(self, value: Any) -> None:
        """Put a value in its place: under the key before it, or into the list around it."""
        if not self.open:
            self.result.append(value)
        elif self.key is not None:
            self.objects[-1][self.key] = value
            self.key = None
        else:
            around = self.open[-1]
            assert isinstance(around, list)
            around.append(value)
        self.filled = True
