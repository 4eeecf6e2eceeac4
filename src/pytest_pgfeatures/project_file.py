"""Options of a verb in a project's files: ``pgfeatures.toml``, else ``[tool.pgfeatures]`` of ``pyproject.toml``."""

from __future__ import annotations

import difflib
import os
import tomllib
from typing import TYPE_CHECKING, Annotated, Any, get_args

import msgspec

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "pgfeatures.toml"


def tables(verb: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Where a verb's options may be: files, and the names of their tables. The first that has any counts."""
    return (FILE, (verb,)), ("pyproject.toml", ("tool", "pgfeatures", verb))


def options_of(directory: Path, verb: str) -> tuple[str, dict[str, Any]]:
    """Read a verb's table.

    Parameters:
        directory: the project's.
        verb: such as ``extension``.

    Returns:
        the file, and the options as it has them, with ``_`` for ``-`` in their names. Both are empty if no file has
        any.

    Raises:
        PgFeaturesError: a file can't be read, isn't TOML, or the table's name stands for something else.
    """
    for name, keys in tables(verb):
        path = directory / name
        if not path.is_file():
            continue
        table: Any = read_toml(path, str(path))
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        if not isinstance(table, dict):
            raise PgFeaturesError(
                f"{path}: {'.'.join(keys)} is not a table",
                remedy=f"write [{'.'.join(keys)}] and options below it",
            )
        if table:
            return str(path), {option.replace("-", "_"): value for option, value in table.items()}
    return "", {}


def read_toml(path: Path, name: str) -> dict[str, Any]:
    """Read a user's TOML file.

    Parameters:
        name: the file for messages, such as ``--baseline FILE``.

    Raises:
        PgFeaturesError: it can't be read, or isn't TOML.
    """
    try:
        return tomllib.loads(read_regular_text(path))
    except OSError as error:
        raise PgFeaturesError(f"{name} can't be read: {error.strerror}", remedy="correct its name") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PgFeaturesError(f"{name} can't be read: {error}", remedy="fix its TOML") from None


Texts = tuple[str, ...]
Seconds = Annotated[float, msgspec.Meta(gt=0)]
_FORMS = {
    Texts: "text in quotes, or a list of texts in [ ]",
    Seconds: "a number of seconds above 0",
    bool: "true or false",
    str: "text in quotes",
}


def converted(name: str, value: Any, wanted: Any, where: str) -> Any:
    """The value of an option as the option's type. One text stands for a list of it, a number for its text.

    Parameters:
        wanted: the type: a key of the forms above, or a Literal.
        where: the file or the command line, for the message.

    Raises:
        PgFeaturesError: it has another type.
    """
    try:
        given = msgspec.to_builtins(value, enc_hook=os.fspath)
        if isinstance(given, str) and wanted == Texts:
            given = (given,)
        elif type(given) is int and wanted is str:
            given = str(given)
        return msgspec.convert(given, wanted)
    except (TypeError, msgspec.ValidationError):
        form = _FORMS.get(wanted) or f"one of {', '.join(sorted(get_args(wanted)))}"
        said = f"{where}: {name} = {value!r} has the wrong type"
        raise PgFeaturesError(said, remedy=f"write {form}") from None


def check_name(option: str, known: Iterable[str], where: str) -> None:
    """Check the name of an option.

    Raises:
        PgFeaturesError: it is not among the known ones.
    """
    names = list(known)
    if option not in names:
        near = difflib.get_close_matches(option, names, n=1)
        raise PgFeaturesError(
            f"{where}: there is no option {option!r}",
            remedy=f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(names)}",
        )
