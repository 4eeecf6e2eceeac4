"""Dataclasses as plain values, for JSON and for other processes, and back: checked by their types.

msgspec converts them. It is imported when values are converted, so that a start of pytest does not pay for it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any, TypeVar

T = TypeVar("T")

_JSON_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


class FormError(ValueError):
    """Values that don't have the expected form. The text begins with their path in the document:
    ``$.cells[3].version: expected string, got integer``.
    """  # fmt: skip


def to_plain(value: object) -> Any:
    """Convert dataclasses, and what contains them, to values that JSON supports; paths become text.

    Raises:
        TypeError: a value is of another type.
    """
    import msgspec

    return msgspec.to_builtins(value, enc_hook=_as_text)


def from_plain(values: object, form: type[T]) -> T:
    """Convert the values of :func:`to_plain` back, also after a trip through JSON. Unknown names are ignored, which
    a later release may have written.

    Parameters:
        form: the type of the whole. Its annotations, and those of its parts, must be resolvable in their modules.

    Raises:
        FormError: a value is missing, or of another type.
    """  # fmt: skip
    import msgspec

    try:
        return msgspec.convert(values, form)
    except msgspec.ValidationError as error:
        raise FormError(_in_json_terms(str(error))) from None
    except UnicodeEncodeError as error:
        raise FormError(f"$: a name or a fixed word has a character that is no Unicode: {error}") from None


def to_json(value: object) -> bytes:
    """Encode dataclasses, and what contains them, as JSON.

    Raises:
        TypeError: a value is of another type.
    """
    import msgspec

    return msgspec.json.encode(value, enc_hook=_as_text)


def from_json(text: bytes, form: type[T]) -> T:
    """Decode the JSON of :func:`to_json`.

    Parameters:
        form: the type, as in :func:`from_plain`.
    """
    import msgspec

    return msgspec.json.decode(text, type=form)


def _as_text(value: object) -> str:
    if isinstance(value, str):  # a subclass, such as SqlState
        return str.__str__(value)
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not supported by JSON")


def _in_json_terms(message: str) -> str:
    """``Expected `str`, got `int` - at `$.a` `` becomes ``$.a: expected string, got integer``."""
    what, _, path = message.rpartition(" - at ") if " - at `$" in message else (message, "", "`$`")
    if what.startswith("Expected"):
        what = re.sub(r"\b(str|int|float|bool)\b", lambda word: _JSON_TYPES[word[0]], what)
    return f"{path.strip('`')}: {what[0].lower()}{what[1:].replace('`', '')}"
