"""What ``pg_template`` returns, as a function that fills the template database."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg


def loader(template: Any, root: Path) -> Callable[[psycopg.Connection], object] | None:
    """What ``pg_template`` returned, as a function that takes a connection.

    Parameters:
        template: None, SQL as text, the path of a file of SQL, or a function of a connection.
        root: what a relative path starts from.

    Raises:
        PgFeaturesError: it is something else, or there is no such file.
    """
    if template is None or callable(template):
        return template  # type: ignore[no-any-return]
    if isinstance(template, Path):
        path = root / template
        if not path.is_file():
            raise PgFeaturesError(
                f"there is no file {path} to load the template database from",
                remedy="correct pg_schema in the configuration file, which counts from pytest's root directory",
            )
        return _file_loader(path)
    if isinstance(template, str):
        return _sql_loader(template, "pg_template")
    raise PgFeaturesError(
        f"pg_template returned {template!r}",
        remedy="return SQL as text, a pathlib.Path to a file of SQL, or a function that takes a connection",
    )


@functools.cache
def _file_loader(path: Path) -> Callable[[psycopg.Connection], object]:
    return _sql_loader(path.read_text(encoding="utf-8"), str(path))


@functools.cache
def _sql_loader(sql: str, where: str) -> Callable[[psycopg.Connection], object]:
    def load(connection: psycopg.Connection) -> None:
        import psycopg

        try:
            connection.execute(sql.encode())
        except psycopg.Error as error:
            position = error.diag.statement_position
            line = f", line {sql[: int(position)].count(chr(10)) + 1}" if position else ""
            raise PgFeaturesError(
                f"can't load the template database from {where}{line}: {error.sqlstate} {error}",
                remedy="fix the SQL; psql meta-commands aren't supported",
            ) from error

    return load
