"""Statistics as a file: JSON with a format number and a digest of what it contains."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import StatisticsError, VersionError
from pytest_pgfeatures.files import read_regular, write_atomically
from pytest_pgfeatures.statistics.model import (
    ColumnStatistics,
    Combination,
    ExtendedStatistics,
    RelationStatistics,
    Slot,
    Statistics,
)
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pathlib import Path

KIND = "statistics"
FORMAT = 1


def text_of(statistics: Statistics) -> str:
    """The text of a file with the statistics, a relation a line; :func:`read_statistics` reads it."""
    content = _plain(statistics)
    head = json.dumps({"pgfeatures": KIND, "format": FORMAT, "sha256": _digest(content)})
    relations = ",\n".join(json.dumps(each, ensure_ascii=False) for each in content.pop("relations"))
    rest = json.dumps(content, ensure_ascii=False)
    return f'{head[:-1]},\n"content": {rest[:-1]},\n"relations": [\n{relations}\n]}}}}\n'


def write_statistics(statistics: Statistics, path: Path) -> None:
    """Write statistics to a file, as a whole or not at all."""
    write_atomically(path, text_of(statistics).encode("utf-8", "surrogateescape"))


def read_statistics(path: Path) -> Statistics:
    """Read a file that ``pgfeatures statistics`` wrote.

    Raises:
        StatisticsError: it is no such file, is of another format, or was changed after it was written.
    """
    again = "write it again with: pgfeatures statistics DSN > FILE"
    try:
        document: Any = json.loads(read_regular(path).decode("utf-8", "surrogateescape"))
    except OSError as error:
        raise StatisticsError(f"{path} can't be read: {error.strerror}", remedy="correct its name") from None
    except (ValueError, RecursionError) as error:
        raise StatisticsError(f"{path} is no JSON: {error}", remedy=again) from None
    if not isinstance(document, dict) or document.get("pgfeatures") != KIND:
        raise StatisticsError(f"{path} is no file of pgfeatures statistics", remedy=again)
    if document.get("format") != FORMAT:
        raise StatisticsError(
            f"{path} has the format {document.get('format')!r}, and this version of pgfeatures reads {FORMAT}",
            remedy=again,
        )
    content = document.get("content")
    if not isinstance(content, dict) or document.get("sha256") != _digest(content):
        raise StatisticsError(
            f"{path} was changed after it was written, or is not complete: its content has another SHA-256",
            remedy=f"{again}; to leave values out, use --without-values",
        )
    try:
        return _statistics(content)
    except (KeyError, TypeError, ValueError, VersionError) as error:
        raise StatisticsError(f"{path} lacks something: {error}", remedy=again) from None


def _digest(content: dict[str, Any]) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _plain(statistics: Statistics) -> dict[str, Any]:
    """The statistics as values that JSON has, as they come back from it."""
    plain: dict[str, Any] = json.loads(
        json.dumps({**asdict(statistics), "version": str(statistics.version)}, default=str)
    )
    return plain


def _statistics(plain: dict[str, Any]) -> Statistics:
    return Statistics(
        **{
            **plain,
            "version": PgVersion(plain["version"]),
            "settings": tuple((name, value) for name, value in plain["settings"]),
            "roles": tuple(plain["roles"]),
            "extensions": tuple((name, version) for name, version in plain["extensions"]),
            "relations": tuple(
                RelationStatistics(
                    **{**each, "columns": _columns(each["columns"]), "counts": _counts(each.get("counts"))}
                )
                for each in plain["relations"]
            ),
            "extended": tuple(_extended(each) for each in plain["extended"]),
            "unseen": tuple(plain["unseen"]),
        }
    )


def _counts(plain: list[int] | None) -> tuple[int, ...] | None:
    return None if plain is None else tuple(plain)


def _ends(plain: list[str] | None) -> tuple[str, str] | None:
    return None if plain is None else (plain[0], plain[1])


def _columns(plain: list[dict[str, Any]]) -> tuple[ColumnStatistics, ...]:
    return tuple(
        ColumnStatistics(
            **{
                **each,
                "slots": tuple(Slot(**slot) for slot in each["slots"]),
                "ends": _ends(each.get("ends")),
            }
        )
        for each in plain
    )


def _extended(plain: dict[str, Any]) -> ExtendedStatistics:
    groups = {
        name: tuple((tuple(columns), value) for columns, value in plain[name])
        for name in ("ndistinct", "dependencies")
    }
    mcv = tuple(Combination(tuple(values), *frequencies) for values, *frequencies in plain["mcv"])
    return ExtendedStatistics(
        **{
            **plain, **groups, "columns": tuple(plain["columns"]), "mcv": mcv,
            "expressions": _columns(plain["expressions"]),
        }
    )  # fmt: skip
