"""The files of results that options name: checked before anything runs, and written before anything is printed."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_UNWRITTEN = "pytest_pgfeatures.unwritten"


def result_file(value: str) -> Path:
    """Return the path that an option names, for the parameter ``type`` of :func:`click.option`. The check
    leaves nothing behind.

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


def file_option(name: str, what: str, form: str) -> Callable[[Any], Any]:
    """Return an option that names a file to write: ``--junit FILE``.

    Parameters:
        name: the option.
        what: the content of the file, as the help calls it.
        form: the file's format.
    """
    return click.option(name, type=result_file, metavar="FILE", help=f"Write {what} to FILE as {form}.")


def json_option(what: str) -> Callable[[Any], Any]:
    """Return the option ``--json FILE`` of a verb, whose parameter is ``json_file``: a path, or None.

    Parameters:
        what: the content of the file, for the help.
    """
    return click.option(
        "--json",
        "json_file",
        is_flag=False,
        flag_value="",
        callback=_json_file,
        metavar="FILE",
        help=f"Write {what} to FILE as JSON. With - it is printed, and the report goes to the standard error.",
    )


def _json_file(context: click.Context, _parameter: click.Parameter, value: str | None) -> Path | None:
    """Return the path of ``--json``. If FILE is missing, a following input file is not mistaken for it.

    Raises:
        PgFeaturesError: it isn't the name of a JSON file, or the file can't be written.
    """
    if value is None:
        return None
    if value == "-":
        # In the context of the whole command: if another option is wrong, click leaves a verb's context
        # unchanged.
        return context.find_root().with_resource(_printed_at_the_end())
    path = Path(value)
    device = path.exists() and not path.is_file()
    if not value or not (device or path.suffix == ".json"):
        raise PgFeaturesError(
            f"--json {value!r} names no JSON file" if value else "--json names no file",
            remedy="write --json FILE.json, or --json - for standard output",
        )
    return result_file(value)


@contextmanager
def _printed_at_the_end() -> Iterator[Path]:
    """Provide a file that is printed at the end.

    Until then, standard output goes to standard error, that of the programs which the command starts, too.
    """
    sys.stdout.flush()
    output = os.dup(1)
    os.dup2(2, 1)
    with TemporaryDirectory() as directory:
        file = Path(directory) / "printed.json"
        try:
            with redirect_stdout(sys.stderr):
                yield file
        finally:
            os.dup2(output, 1)
            os.close(output)
            if file.exists():
                click.echo(file.read_bytes(), nl=False)


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

    Files that can't be written are reported when the command ends, with exit status 2.

    Parameters:
        files: for each, its path, None if it isn't requested, and the function that writes it.
    """
    for path, write in files:
        if path is None:
            continue
        try:
            write(path)
        except OSError as error:
            unwritten(path, error)


def unwritten(path: Path, error: OSError) -> None:
    """Make the command report at its end that a file was not written."""
    _lines(click.get_current_context()).append(f"can't write {path}: {error.strerror or error}")


def report_unwritten_files(context: click.Context) -> bool:
    """Print a line for each file that was not written. Return whether there was one."""
    lines = _lines(context)
    for line in lines:
        click.echo(f"pgfeatures: {line}", err=True)
    if lines:
        click.echo("what to do: make room, or name another file, and run it again", err=True)
    return bool(lines)


def _lines(context: click.Context) -> list[str]:
    lines: list[str] = context.meta.setdefault(_UNWRITTEN, [])
    return lines
