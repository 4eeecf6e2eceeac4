"""Shared handling of arguments for several verbs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import LIMIT, largest_input

if TYPE_CHECKING:
    from collections.abc import Callable

Versions = TypeVar("Versions", str | None, tuple[str, ...])
"""The types that click gives for an option that names versions, and for an argument that may come several times."""


def named_versions(_context: click.Context, parameter: click.Parameter, value: Versions) -> Versions:
    """Check the versions that an option such as ``--pg`` or an argument names, for the parameter ``callback`` of
    :func:`click.option` and :func:`click.argument`: an unset variable of CI gives an empty text.

    Raises:
        PgFeaturesError: a text names no versions.
    """
    if value is not None:
        from pytest_pgfeatures.install import parse_requests

        who = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
        for text in (value,) if isinstance(value, str) else value:
            parse_requests(text, who, required=parameter.required)
    return value


def pg_option(
    help: str = "Versions, such as 14..18 (default: the newest at hand).",
) -> Callable[[Any], Any]:
    """Return the option ``--pg VERSIONS`` of a verb."""
    return click.option("--pg", callback=named_versions, metavar="VERSIONS", help=help)


def named(text: str, option: str) -> tuple[str, str]:
    """Return the two sides of ``NAME=VALUE``. A value keeps its blanks, but not those of ``NAME = VALUE``.

    Raises:
        PgFeaturesError: ``text`` has another form.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise PgFeaturesError(f"{option} {text!r} is not NAME=VALUE", remedy=f"write {option} NAME=VALUE")
    return name.strip(), value.lstrip() if name.endswith(" ") else value


def read_standard_input() -> str:
    """Return the text on standard input, which is UTF-8 in any locale.

    Raises:
        PgFeaturesError: it is closed, larger than input files may be, or not text in UTF-8.
    """
    limit = largest_input()
    try:
        content = sys.stdin.buffer.read(limit + 1)
        if len(content) > limit:
            raise PgFeaturesError(
                f"standard input has more than {limit >> 20} MB",
                remedy=f"set {LIMIT}={2 * limit >> 20} in the environment to raise the limit",
            )
        return content.decode()
    except OSError as error:
        raise PgFeaturesError(
            f"can't read standard input: {error.strerror}", remedy="name a file, or pipe SQL into the command"
        ) from error
    except UnicodeDecodeError as error:
        raise PgFeaturesError(
            f"standard input is no text in UTF-8 (byte {error.start})",
            remedy="convert it, such as with iconv",
        ) from error
