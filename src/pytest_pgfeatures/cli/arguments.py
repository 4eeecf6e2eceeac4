"""Shared handling of arguments for several verbs."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def print_json(document: object) -> None:
    """Print a JSON document."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def named(text: str, option: str) -> tuple[str, str]:
    """Return the two sides of ``NAME=VALUE``.

    Raises:
        PgFeaturesError: ``text`` has another form.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise PgFeaturesError(f"{option} {text!r} is not NAME=VALUE", remedy=f"write {option} NAME=VALUE")
    return name.strip(), value.strip()


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell of a file that can't be written after all, such as for want of room.

    Raises:
        PgFeaturesError: the block raised an OSError.
    """
    try:
        yield
    except OSError as error:
        raise PgFeaturesError(
            f"can't write {path}: {error.strerror}",
            remedy="make room, or name another file, and run it again",
        ) from error


def check_writable(path: Path) -> None:
    """Check that a file can be written before the versions run. No file is left behind.

    Raises:
        PgFeaturesError: the file can't be written.
    """
    existed = path.exists()
    try:
        with path.open("a"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise PgFeaturesError(
            f"can't write {path}: {error.strerror}", remedy="name a file in a directory that is there"
        ) from error
