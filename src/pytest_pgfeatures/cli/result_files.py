"""The files of results that options name: checked before anything runs, and written before anything is printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Callable

_UNWRITTEN = "pytest_pgfeatures.unwritten"


def result_file(value: str) -> Path:
    """Return the path that an option names, for the parameter ``type`` of :func:`click.option`. Nothing is left
    behind by the check.

    Raises:
        PgFeaturesError: the file can't be written.
    """  # fmt: skip
    path = Path(value)
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
    return path


def result_directory(value: str) -> Path:
    """Return the directory that an option names, which is created if necessary, for the parameter ``type`` of
    :func:`click.option`.

    Raises:
        PgFeaturesError: it can't be created.
    """  # fmt: skip
    path = Path(value)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PgFeaturesError(
            f"can't create the directory {path}: {error.strerror}", remedy="name another directory"
        ) from error
    return path


def write_files(*files: tuple[Path | None, Callable[[Path], object]]) -> None:
    """Write files of results: each one, even if another can't be written, since the work took long.

    What can't be written is told when the command ends, with exit status 2.

    Parameters:
        files: each a path, None if it isn't asked for, and the function that writes it.
    """
    for path, write in files:
        if path is None:
            continue
        try:
            write(path)
        except OSError as error:
            unwritten(path, error)


def unwritten(path: Path, error: OSError) -> None:
    """Have the command tell at its end that a file is not written."""
    _lines(click.get_current_context()).append(f"can't write {path}: {error.strerror or error}")


def tell_of_files(context: click.Context) -> bool:
    """Print a line for each file that is not written. Return whether there is one."""
    lines = _lines(context)
    for line in lines:
        click.echo(f"pgfeatures: {line}", err=True)
    if lines:
        click.echo("what to do: make room, or name another file, and run it again", err=True)
    return bool(lines)


def _lines(context: click.Context) -> list[str]:
    lines: list[str] = context.meta.setdefault(_UNWRITTEN, [])
    return lines
