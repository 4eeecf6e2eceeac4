"""Turns the value of ``pg_template`` into a function that fills the template database."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

    from pytest_pgfeatures.install import Resolver


def loader(
    template: Any, root: Path, resolver: Callable[[], Resolver] | None = None
) -> Callable[[psycopg.Connection], object] | None:
    """Turn the value of ``pg_template`` into a function of a connection. Equal templates share one function.

    Parameters:
        template: None, SQL as text, the path of a script or dump, several of these, or a function of a connection.
        root: the directory for relative paths.
        resolver: finds pg_restore for dumps that need it.

    Raises:
        PgFeaturesError: the template is of another type, or a file does not exist.
    """
    if template is None or callable(template):
        return template  # type: ignore[no-any-return]
    sources = tuple(template) if isinstance(template, list | tuple) else (template,)
    if not all(isinstance(source, str | Path) for source in sources):
        raise PgFeaturesError(
            f"pg_template returned {template!r}",
            remedy="return SQL as text, a pathlib.Path to a script or a dump, a list of these, or a function that "
            "takes a connection",
        )
    for source in sources:
        if isinstance(source, Path) and not (root / source).exists():
            raise PgFeaturesError(
                f"there is no file {root / source} to load the template database from",
                remedy="correct pg_schema in the configuration file, which counts from pytest's root directory",
            )
    return _loader(sources, root, resolver) if sources else None


@functools.cache
def _loader(
    sources: tuple[str | Path, ...], root: Path, resolver: Callable[[], Resolver] | None
) -> Callable[[psycopg.Connection], object]:
    from pytest_pgfeatures.scripts.load import Script

    return Script(sources, root, resolver).load
