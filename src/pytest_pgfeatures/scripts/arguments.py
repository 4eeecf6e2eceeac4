"""The arguments of psql's meta-commands (https://www.postgresql.org/docs/current/app-psql.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import interpolated, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)


def arguments_of(text: str, variables: Mapping[str, str]) -> list[str]:
    """The arguments of a meta-command, with quotes removed and variables replaced; one without a value stays.

    Parameters:
        text: the text after the command's name.
        variables: the values, by variable name.
    """
    found: list[str] = []
    together = False
    for token in tokens(text, psql=True, standard_conforming_strings=False):
        if token.kind == "space":
            together = False
            continue
        part = _argument(token.kind, token.text, variables)
        if together:
            found[-1] += part
        else:
            found.append(part)
        together = True
    return found


def _argument(kind: str, text: str, variables: Mapping[str, str]) -> str:
    if kind == "string" and text.startswith("'"):
        return _ESCAPE.sub(_unescaped, text[1:-1].replace("''", "'"))
    return interpolated(text, variables) if kind == "variable" else text


def _unescaped(match: re.Match[str]) -> str:
    hexadecimal, octal, other = match.groups()
    if hexadecimal or octal:
        return chr(int(hexadecimal, 16) if hexadecimal else int(octal, 8))
    return _ESCAPES.get(other, other)
