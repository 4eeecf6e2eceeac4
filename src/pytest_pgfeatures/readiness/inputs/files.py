"""Find and read the files that an option names, itself or by their directories, and the state of all readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError, ScriptError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.readiness.inputs.texts import is_of_others
from pytest_pgfeatures.readiness.model import Input, PassedOver
from pytest_pgfeatures.scripts.migrations import files_below

T = TypeVar("T")
NO_READER = "there is no reader for such files"
_NOT_ENTERED = "hidden, generated, or of others"
_FOR_OTHERS = "they are for another database system"
_MOST = 4 << 20


@dataclass(slots=True)
class InputReading:
    """The state of reading all inputs."""

    resolver: Callable[[], Resolver]
    kind: Input = "schema"  # of the input that is being read
    timeout: float = 60.0  # the time that a live database has for each statement, in seconds
    has_schema: bool = False  # whether an option gives it, so that the one of a live database is not needed
    problems: list[str] = field(default_factory=list)  # a line for each input that can't be read or used
    unread: list[tuple[Input, str]] = field(default_factory=list)
    """The problems of inputs that were named and not read: no stage can answer for these."""
    variables: dict[str, str] = field(default_factory=dict)  # psql's, as the schema's files have set them
    loaded: set[Path] = field(default_factory=set)  # the files of the schema and the data
    already: set[Path] = field(default_factory=set)  # the files with queries that were read, or included
    search_path: str = ""  # the setting of a live database's sessions; empty for the default
    taken: set[Path] = field(default_factory=set)  # the files that at least one option reads
    passed: list[tuple[Path, PassedOver]] = field(default_factory=list)

    def not_read(self, line: str) -> None:
        """Add the problem of an input that was named and not read."""
        self.problems.append(line)
        self.unread.append((self.kind, line))

    def pass_over(self, directory: str, path: Path, why: str) -> None:
        """Add a file of a directory that the option's readers don't take, or a directory that is not entered."""
        suffix = f"{path.name}/" if path.is_dir() else path.suffix.lower()
        self.passed.append((path, PassedOver(self.kind, directory, suffix, 1, why)))

    def passed_over(self) -> tuple[PassedOver, ...]:
        """The files that were passed over and that no other option reads."""
        counts = Counter(each for path, each in self.passed if path not in self.taken)
        found = [replace(each, count=count) for each, count in counts.items()]
        found.sort(key=lambda one: (one.option, one.directory, one.why, -one.count, one.suffix))
        return tuple(found)


def found(given: str, why_not: Callable[[Path], str], reading: InputReading) -> Iterator[tuple[Path, str]]:
    """The files that an argument names, each with its name for messages: as given, or as found below the argument.

    The files of a directory are sorted by name, and numbers in names by value, as migrations are applied. One is
    not read for the reason that ``why_not`` returns, if any.
    """
    path = Path(given)
    if path.is_file():
        reading.taken.add(path.resolve())
        yield path, given
        return
    if not path.is_dir():
        why, remedy = "there is no such file or directory", "correct its name"
        if path.exists():
            why, remedy = "it is no regular file and no directory", "write it to a file first"
        raise PgFeaturesError(f"--{reading.kind} {given}: {why}", remedy=remedy)

    for file in files_below(path, lambda each: reading.pass_over(given, each.resolve(), _NOT_ENTERED)):
        why = why_not(file) if file.is_file() else "they are no regular files"
        why = why or _FOR_OTHERS * is_of_others(file.relative_to(path))
        if why:
            reading.pass_over(given, file.resolve() if file.exists() else file, why)
        else:
            reading.taken.add(file.resolve())
            yield file, str(file)


def of_each(
    given: str,
    why_not: Callable[[Path], str],
    reading: InputReading,
    read: Callable[[Path, str], Iterable[T]],
    nothing: str,  # the problem if there is no such file
    order: Callable[[Path], tuple[bool, ...]] = lambda _: (),  # a key for files that aren't sorted by name
) -> Iterator[T]:
    """The contents of the files that an argument names; see :func:`found`. One that can't be read is a problem; if
    it was named itself, or a library is missing, it is an input that was named and not read."""
    path = None
    for path, name in sorted(found(given, why_not, reading), key=lambda each: order(each[0])):
        try:
            yield from read(path, name)
        except (PgFeaturesError, OSError) as error:
            problem = error.problem if isinstance(error, ScriptError) else " ".join(str(error).split())
            is_missing = isinstance(error, ExtraMissingError)
            problem = problem if name in problem or is_missing else f"{name}: {problem}"
            if path == Path(given) or is_missing:
                reading.not_read(problem)
            else:
                reading.problems.append(problem)
    if path is None and all(each.why != _FOR_OTHERS for _, each in reading.passed if each.directory == given):
        reading.not_read(f"--{reading.kind} {given}: {nothing}")


def written(path: Path, name: str) -> bytes:
    """The contents of a file that people write; one that is larger than these are is an error."""
    raw = read_regular(path)
    if len(raw) > _MOST:
        said = f"{name} is larger than {_MOST >> 20} MB"
        raise PgFeaturesError(said, remedy="name sources, not generated files")
    return raw


class SearchedText(NamedTuple):
    """A text in which words are looked for: a script, or the meta-commands of a file for psql."""

    file: str
    text: str
    written: str = ""  # the whole of a script, with what is only printed
