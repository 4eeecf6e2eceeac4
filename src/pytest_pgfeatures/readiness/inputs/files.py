"""Find the files that an option names, directly or through their directories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError, ScriptError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.model import Problems
from pytest_pgfeatures.scripts.migrations import NOT_ENTERED, natural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_pgfeatures.readiness.model import Input

T = TypeVar("T")
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


def of_each(
    given: str,
    kind: Input,
    why_not: Callable[[Path], str],
    problems: Problems,
    read: Callable[[Path, str], Iterable[T]],
    nothing: str,
    order: Callable[[Path], tuple[bool, ...]] = lambda _: (),
) -> Iterator[T]:
    """The contents of the files that an argument names; see :func:`found`. One that can't be read is a problem, and
    the others are still read.

    If it was named itself, or a library is missing, it is an input that was named and not read.

    Parameters:
        read: the reader of a file, which gets its name for messages, too.
        nothing: the problem if there is no such file.
        order: a key that sorts the files, where it isn't by name.
    """
    path = None
    for path, name in sorted(found(given, kind, why_not, problems), key=lambda each: order(each[0])):
        try:
            yield from read(path, name)
        except (PgFeaturesError, OSError) as error:
            problem = error.problem if isinstance(error, ScriptError) else " ".join(str(error).split())
            if path == Path(given) or isinstance(error, ExtraMissingError):
                problems.not_read(kind, problem)
            else:
                problems.append(problem)
    if path is None:
        problems.not_read(kind, f"--{kind} {given}: {nothing}")


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
