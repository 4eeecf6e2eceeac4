"""The requests of ``--pg``: versions, and their sources.

    16          14..18       >=15       16.2        14,16..18      versions
    all         latest                                             by what can be had
    pypi:17     maven:12     system:15  path:DIR    pypi:14..18    from one source

Commas separate parts. A source's name applies to its part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.install.model import SOURCES
from pytest_pgfeatures.install.system import named_directory
from pytest_pgfeatures.version import PgVersion, VersionSet
from pytest_pgfeatures.version.release import shown

if TYPE_CHECKING:
    from pathlib import Path

_ALL = VersionSet("all")
_REMEDY = (
    "write versions such as 14..18, >=15, 14,16 or 16.2, or all, or latest, or a source's such as pypi:17"
)


@dataclass(frozen=True, slots=True)
class Request:
    """One part of the requested versions.

    Parameters:
        versions: the accepted versions.
        source: only from this source; None for any.
        directory: the directory of a ``path`` install; otherwise None.
        latest: of the majors in ``versions``, only the newest that has a release.
    """

    versions: VersionSet = _ALL
    source: str | None = None
    directory: Path | None = None
    latest: bool = False

    def allows(self, version: PgVersion, source: str) -> bool:
        """Whether an install of this version from this source matches.

        A release candidate or beta matches only if its major is named, or if it is a ``path`` install.
        """
        if source != (self.source or source) or version not in self.versions:
            return False
        return not version.stage or source == "path" or self._spells_out(version)

    def _spells_out(self, version: PgVersion) -> bool:
        return any(version in part for part in self.versions.parts if not part.is_open)

    def __str__(self) -> str:
        if self.directory is not None:
            return f"path:{self.directory}"
        versions = "latest" if self.latest else str(self.versions)
        return versions if self.source is None else f"{self.source}:{versions}"


def parse_requests(text: str, who: str = "--pg", *, required: bool = False) -> tuple[Request, ...]:
    """Read the value of ``--pg`` (or the ini option ``pg``).

    Parameters:
        text: parts separated by commas; spaces are ignored.
        who: the option or file with the text, for messages.
        required: whether it can't be left out, for messages.

    Raises:
        VersionError: a part can't be read, names a source that doesn't exist, or can't match any version.
        InstallNotFoundError: the home directory in a path is not known.
    """
    if not text.strip():
        raise VersionError(
            f"{who} names no version: is the variable that it is given unset?",
            remedy="write versions such as 14..18" + ("" if required else f", or leave {who} out"),
        )
    whole = f"in {who} {shown(text)}"
    return tuple(_parse_part(part.strip(), whole) for part in text.split(","))


def _parse_part(part: str, whole: str) -> Request:
    before, colon, after = part.partition(":")
    source, rest = (before.strip(), after.strip()) if colon else (None, part)
    if source is not None and source not in SOURCES:
        raise VersionError(f"{whole}: there is no source {shown(source)}", remedy=_suggestion(source, rest))
    if not rest:
        raise VersionError(
            f"{whole}: {f'{source}: names' if source else 'a part names'} nothing",
            remedy=_REMEDY,
        )
    if source == "path":
        return Request(source=source, directory=named_directory(rest, f"{whole}: path: names"))
    if rest == "latest":
        return Request(source=source, latest=True)
    try:
        return Request(VersionSet(rest), source)
    except VersionError as error:
        raise VersionError(f"{whole}: {error.problem}", remedy=error.remedy or _REMEDY) from None


def _suggestion(source: str, rest: str) -> str:
    import difflib

    near = difflib.get_close_matches(source, SOURCES, n=1, cutoff=0.5)
    return f"did you mean {near[0]}:{rest}?" if near else f"the sources are {', '.join(SOURCES)}"
