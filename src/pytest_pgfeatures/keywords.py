"""Keyword arguments of public functions: a misspelled one is refused with the name that is nearest to it."""

from __future__ import annotations

import difflib
import functools
import inspect
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

P = ParamSpec("P")
R = TypeVar("R")


def check_keywords(name: str, given: Iterable[str], known: tuple[str, ...]) -> None:
    """Refuse keyword arguments that a function doesn't have.

    Parameters:
        name: the function's, for the message.
        given: the names of the arguments that a caller passes.
        known: the names that it takes.

    Raises:
        TypeError: one is unknown; the message has the nearest.
    """
    for keyword in given:
        if keyword not in known:
            near = difflib.get_close_matches(keyword, known, 1)
            hint = f"did you mean {near[0]}=?" if near else f"it takes {', '.join(known)}"
            raise TypeError(f"{name}() has no argument {keyword!r}: {hint}")


def suggesting(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function name the nearest of its arguments, if a caller passes an unknown one."""
    known = tuple(
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is not parameter.VAR_POSITIONAL
    )

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        check_keywords(function.__name__, kwargs, known)
        return function(*args, **kwargs)

    return checked
