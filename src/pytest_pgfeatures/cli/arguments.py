"""What the arguments of several verbs have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from pathlib import Path


def named(text: str, option: str) -> tuple[str, str]:
    """The two sides of ``NAME=VALUE``.

    Raises:
        PgFeaturesError: it is something else.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise PgFeaturesError(f"{option} {text!r} is not NAME=VALUE", remedy=f"write {option} NAME=VALUE")
    return name.strip(), value.strip()


def check_writable(path: Path) -> None:
    """Find out that a file can be written before the versions run, and not after; nothing is left behind.

    Raises:
        PgFeaturesError: it can't.
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
