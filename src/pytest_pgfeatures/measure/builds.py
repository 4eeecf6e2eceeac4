"""The builds of an experiment's sides, on which times depend, and their differences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster, Clusters

_TELLS_FLAGS = VersionSet(">=9.6")
"""Has the view pg_config: https://www.postgresql.org/docs/release/9.6.0/."""
_COMPILER = re.compile(r"compiled by (.+), \d+-bit")
_ASIDE = re.compile(r" \([^()]*+\)")
_GENERATES_CODE = re.compile(r"-[Ofm]")


@dataclass(frozen=True, slots=True)
class Build:
    """The compiler and options that built a server.

    Parameters:
        compiler: the compiler's name and version, such as ``gcc 12.2.0``.
        flags: the flags that change the generated code, such as ``-O2``; None if the server does not report them.
        assertions: whether it checks assertions.
        source: the source of the install; a source builds all its majors alike, if it builds them at one time.
    """

    compiler: str
    flags: tuple[str, ...] | None
    assertions: bool = False
    source: str = ""


def build_of(cluster: Cluster) -> Build:
    """Ask a server how it was compiled.

    See https://www.postgresql.org/docs/current/view-pg-config.html.
    """
    (version,) = cluster.sql("SELECT version()")[0]
    found = _COMPILER.search(str(version))
    flags = None
    if cluster.version in _TELLS_FLAGS:
        (text,) = cluster.sql("SELECT setting FROM pg_config WHERE name = 'CFLAGS'")[0]
        flags = tuple(flag for flag in dict.fromkeys(str(text).split()) if _GENERATES_CODE.match(flag))
    (assertions,) = cluster.sql("SHOW debug_assertions")[0]
    compiler = _ASIDE.sub("", found[1]) if found else ""
    return Build(compiler, flags, assertions == "on", cluster.install.source)


class Builds:
    """The builds of installs; each is asked once.

    Parameters:
        clusters: creates the servers to ask.
    """

    def __init__(self, clusters: Clusters) -> None:
        self._clusters = clusters
        self._known: dict[Install, Build] = {}

    def of(self, install: Install) -> Build:
        """The build of an install."""
        if install not in self._known:
            cluster = self._clusters.create(install)
            self._known[install] = build_of(cluster)
            self._clusters.remove(cluster)
        return self._known[install]

    def alike(self, installs: Collection[Install]) -> bool:
        """Whether the installs come from one source, and were compiled alike."""
        builds = {self.of(install) for install in dict.fromkeys(installs)}
        return len(builds) == 1 and (len(set(installs)) == 1 or None not in {each.flags for each in builds})


def difference_of(builds: Mapping[str, Build]) -> str:
    """The difference between the sides' builds, in a sentence; empty if there is none.

    Parameters:
        builds: the builds by the sides' names.
    """
    if len(set(builds.values())) < 2:
        return ""
    known = [set(build.flags) for build in builds.values() if build.flags is not None]
    shared = set.intersection(*known) if len(known) > 1 else set()
    differences = "; ".join(
        f"{side}{f' ({build.source})' if build.source else ''} by {_shown(build, shared)}"
        for side, build in builds.items()
    )
    return f"The sides are compiled differently, which times depend on: {differences}."


def _shown(build: Build, shared: set[str]) -> str:
    """A build, without the flags that all sides share; its optimization is always shown."""
    if build.flags is None:
        flags = "unknown flags"
    else:
        own = [flag for flag in build.flags if flag not in shared or flag.startswith("-O")]
        flags = " ".join(own if any(flag.startswith("-O") for flag in own) else ["-O0", *own])
    return f"{build.compiler} with {flags}{', checking assertions' if build.assertions else ''}"
