"""Statistics as a file: JSON with a format number and a digest of what it contains."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.errors import StatisticsError, VersionError
from pytest_pgfeatures.files import read_regular, write_atomically
from pytest_pgfeatures.json_values import FormError, from_plain, to_plain
from pytest_pgfeatures.statistics.model import Statistics
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pathlib import Path

KIND = "statistics"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class StatisticsFile:
    """A file with statistics.

    Parameters:
        sha256: the hash of the content.
    """

    pgfeatures: Literal["statistics"]
    format: Literal[1]
    sha256: str
    content: Statistics


def text_of(statistics: Statistics) -> str:
    """The text of a file with the statistics, one line for each relation; :func:`read_statistics` reads it."""
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
        StatisticsError: it is not such a file, has a different format, or was changed after it was written.
    """
    remedy = "write it again with: pgfeatures statistics DSN > FILE"
    try:
        document: Any = json.loads(read_regular(path).decode("utf-8", "surrogateescape"))
    except OSError as error:
        raise StatisticsError(f"{path} can't be read: {error.strerror}", remedy="correct its name") from None
    except (ValueError, RecursionError) as error:
        raise StatisticsError(f"{path} is no JSON: {error}", remedy=remedy) from None
    if not isinstance(document, dict) or document.get("pgfeatures") != KIND:
        raise StatisticsError(f"{path} is not a file of pgfeatures statistics", remedy=remedy)
    if document.get("format") != FORMAT:
        raise StatisticsError(
            f"{path} has the format {document.get('format')!r}, and this version of pgfeatures reads {FORMAT}",
            remedy=remedy,
        )
    content = document.get("content")
    if not isinstance(content, dict) or document.get("sha256") != _digest(content):
        raise StatisticsError(
            f"{path} was changed after it was written, or is not complete: its content has another SHA-256",
            remedy=f"{remedy}; to leave values out, use --without-values",
        )
    try:
        content = {**content, "version": PgVersion(content.get("version", ""))}
        return from_plain({**document, "content": content}, StatisticsFile).content
    except (FormError, VersionError) as error:
        raise StatisticsError(f"{path} is not as this version writes it: {error}", remedy=remedy) from None


def _digest(content: dict[str, Any]) -> str:
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _plain(statistics: Statistics) -> dict[str, Any]:
    """The statistics as values that JSON supports."""
    return {**to_plain(statistics), "version": str(statistics.version)}
