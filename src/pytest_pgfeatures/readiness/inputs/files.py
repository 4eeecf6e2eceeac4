"""Find the files that an option names, directly or through their directories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError, ScriptError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.model import Problems
from pytest_pgfeatures.scripts.migrations import NOT_ENTERED, natural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.readiness.model import Input


NO_READER = "there is no reader for such files"
_MOST = 4 << 20
_SKIPPED = "hidden, generated, or of others"


def found(
    given: str, kind: Input, why_not: Callable[[Path], str], problems: Problems | None = None
) -> Iterator[tuple[Path, str]]:
    """The files that an argument names, each with its name for messages: as given, or as found below the argument.

    The files of a directory are sorted by name, and numbers in names by value, as migrations are applied.

    Parameters:
        given: a file or directory.
        kind: the option that names it, without its dashes.
        why_not: returns why a file found in a directory is not read; empty if it is.
        problems: gets the files and directories that are passed over.

    Raises:
        PgFeaturesError: there is no such file.
    """
    path = Path(given)
    if not path.exists():
        raise PgFeaturesError(
            f"--{kind} {given}: there is no such file or directory", remedy="correct its name"
        )
    problems = Problems() if problems is None else problems
    if path.is_file():
        problems.taken.add(path.resolve())
        yield path, given
        return
    if not path.is_dir():
        raise PgFeaturesError(
            f"--{kind} {given}: it is no regular file and no directory", remedy="write it to a file first"
        )
    for top, directories, names in os.walk(path):
        skipped = [name for name in directories if name.startswith(".") or name in NOT_ENTERED]
        directories[:] = sorted(set(directories).difference(skipped), key=natural)
        for name in skipped:
            problems.pass_over(kind, given, (Path(top) / name).resolve(), _SKIPPED)
        for name in sorted(names, key=natural):
            file = Path(top) / name
            why = why_not(file) if file.is_file() else "they are no regular files"
            if why:
                problems.pass_over(kind, given, file.resolve() if file.exists() else file, why)
            else:
                problems.taken.add(file.resolve())
                yield file, str(file)


def report_unread(problems: Problems, kind: Input, argument: str, path: Path, error: Exception) -> None:
    """Report a file that can't be read. If it was named itself, or a library is missing, it is an input that
    was named and not read. The other files of a directory are read."""
    problem = error.problem if isinstance(error, ScriptError) else " ".join(str(error).split())
    if str(path) == argument or path == Path(argument) or isinstance(error, ExtraMissingError):
        problems.not_read(kind, problem)
    else:
        problems.append(problem)


def written(path: Path, name: str) -> bytes:
    """The contents of a file that people write.

    Raises:
        PgFeaturesError: it is larger than these are.
    """
    raw = read_regular(path)
    if len(raw) > _MOST:
        raise PgFeaturesError(
            f"{name} is larger than {_MOST >> 20} MB", remedy="name sources, not generated files"
        )
    return raw
