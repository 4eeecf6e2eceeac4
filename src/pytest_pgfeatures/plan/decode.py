"""JSON as the server writes it, which is not always what a strict decoder takes.

``json.loads`` reads nearly all of it. The slow reader below is for the rest:

- plans nested deeper than the interpreter's recursion limit;
- ANALYZE of a MERGE or an ON CONFLICT on a partitioned table: up to 18 the server writes the counts of tuples
  *within* the list of target tables, where JSON allows no ``"key": value``. They belong to the node;
- up to 12 a Sort's workers come in two lists of one name, of which a strict decoder keeps the last.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

DEEPEST = 200_000
"""How deep lists and objects may nest: a plan takes two levels for each of its own."""

_SPACE = re.compile(r"[ \t\n\r]*").match
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?").match
_WORDS = {"true": True, "false": False, "null": None}
_WORD = re.compile("true|false|null").match


def decode(text: str) -> Any:
    """The value that a JSON text writes.

    Raises:
        json.JSONDecodeError: it writes none.
    """
    try:
        if '"Workers"' in text and '"Async Capable"' not in text:
            return json.loads(text, object_pairs_hook=_with_all_workers)
        return json.loads(text)
    except (RecursionError, json.JSONDecodeError):
        return _decode_slowly(text)


def _with_all_workers(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that comes twice, both lists of workers."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key == "Workers" and key in found:
            workers = {worker["Worker Number"]: worker for worker in found[key]}
            for worker in value:
                workers.setdefault(worker["Worker Number"], {}).update(worker)
            found[key] = [workers[number] for number in sorted(workers)]
        else:
            found[key] = value
    return found


def _decode_slowly(text: str) -> Any:
    """Without recursion, and with an object's members allowed in a list within it."""
    open_: list[tuple[Any, bool]] = []
    """The lists and objects around the place, and whether each has something in it."""
    objects: list[dict[str, Any]] = []
    """The objects among them."""
    result: list[Any] = []
    key: str | None = None
    at = 0

    def fail(problem: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(problem, text, min(at, len(text)))

    def add(value: Any) -> None:
        nonlocal key
        if not open_:
            result.append(value)
            return
        around, _ = open_[-1]
        if key is not None:
            objects[-1][key] = value
            key = None
        else:
            around.append(value)
        open_[-1] = (around, True)

    while True:
        space = _SPACE(text, at)
        at = space.end() if space else at
        sign = text[at : at + 1]
        if result:
            if sign:
                raise fail("Extra data")
            return result[0]
        if not sign:
            raise fail("Expecting value")
        around, filled = open_[-1] if open_ else (None, False)
        closing = sign in "]}" and key is None
        if closing and around is not None and (sign == "]") == isinstance(around, list):
            open_.pop()
            if sign == "}":
                objects.pop()
            at += 1
            if not open_:
                result.append(around)
            continue
        if filled and key is None:
            if sign != ",":
                raise fail("Expecting ',' delimiter")
            open_[-1] = (around, False)
            at += 1
            continue
        if sign == '"':
            word, at = scanstring(text, at + 1)
            space = _SPACE(text, at)
            colon = space.end() if space else at
            if key is None and text[colon : colon + 1] == ":":
                if not objects:
                    raise fail("Expecting ',' delimiter")
                key, at = word, colon + 1
                continue
            if isinstance(around, dict) and key is None:
                raise fail("Expecting ':' delimiter")
            add(word)
            continue
        if isinstance(around, dict) and key is None:
            raise fail("Expecting property name enclosed in double quotes")
        if sign in "[{":
            value: Any = [] if sign == "[" else {}
            if open_:
                add(value)
            open_.append((value, False))
            if sign == "{":
                objects.append(value)
            if len(open_) > DEEPEST:
                raise fail(f"Nested more than {DEEPEST} deep")
            at += 1
            continue
        word_match = _WORD(text, at)
        if word_match is not None:
            add(_WORDS[word_match[0]])
            at = word_match.end()
            continue
        number = _NUMBER(text, at)
        if number is None:
            raise fail("Expecting value")
        add(float(number[0]) if number[1] or number[2] else int(number[0]))
        at = number.end()
