"""Upgrading a cluster with ``pg_upgrade`` (https://www.postgresql.org/docs/current/pgupgrade.html)."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import (
    CapabilityMissingError,
    ServerError,
    ServerStartError,
    WaitTimeoutError,
)
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.account_files import read_text
from pytest_pgfeatures.server.upgrade_failure import reasons
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pgfeatures.install import Account, Install
    from pytest_pgfeatures.results.program import Finished
    from pytest_pgfeatures.server.cluster import Cluster
    from pytest_pgfeatures.server.factory import Upgrade, Workshop
    from pytest_pgfeatures.version import PgVersion

NEEDS_NEW = frozenset(
    {"pg_upgrade", "pg_ctl", "pg_controldata", "pg_resetwal", "pg_dump", "pg_dumpall", "pg_restore"}
    | {"psql", "vacuumdb"}
)
"""Programs that pg_upgrade requires in the new install, including itself."""
NEEDS_OLD = frozenset({"pg_ctl", "pg_controldata", "pg_resetwal"})
"""Programs of the old install that pg_upgrade runs; before 10, pg_resetwal is pg_resetxlog."""
_LINES_OF_OUTPUT = 80
_LINES_OF_A_LOG = 15
_ERRORS_OF_A_LOG = 5
_ERROR = re.compile(r"\b(?:ERROR|FATAL|error):")
"""The limit of lines: a long statement may stand between the error and the log's end."""

# https://www.postgresql.org/docs/release/ documents each of these.
_HAS_RESETWAL = VersionSet(">=10")
_SEGMENT_SIZE = VersionSet(">=11")
"""initdb has --wal-segsize."""
_NO_SYNC = VersionSet(">=15")
"""pg_upgrade has --no-sync."""
_COPIES_LOCALE = VersionSet(">=16")
"""pg_upgrade copies the old cluster's encoding and locale."""
_CHECKSUMS_BY_DEFAULT = VersionSet(">=18")


@dataclass(frozen=True, slots=True)
class Mode:
    """A method by which pg_upgrade transfers files to the new cluster.

    Parameters:
        name: the name that :meth:`Cluster.upgrade_to` takes.
        options: the options of pg_upgrade.
        versions: the new majors that support it.
    """

    name: str
    options: tuple[str, ...]
    versions: VersionSet


MODES: tuple[Mode, ...] = (
    Mode("copy", (), VersionSet("all")),
    Mode("link", ("--link",), VersionSet("all")),
    Mode("swap", ("--swap",), VersionSet(">=18")),  # https://www.postgresql.org/docs/release/18.0/
)


def upgrade(
    clusters: Workshop[Cluster], old: Cluster, install: Install, wanted: Upgrade, *, timeout: float
) -> Cluster:
    """Upgrade a cluster; see :meth:`Cluster.upgrade_to`."""
    mode = checked_mode(old, install, wanted)
    programs = _programs_of_old(clusters, old.install, install.version)
    if not old.running():
        old.start()
    checksums = has_checksums(old)
    change_checksums = None
    if wanted.checksums is not None and wanted.checksums is not checksums:
        change_checksums = install.program("pg_checksums")
    new = successor(clusters, old, install, wanted.settings)
    old.stop("fast")
    ended = run_pg_upgrade(clusters, old, new, programs.bindir, mode.options, timeout)
    if ended.status != 0:
        raise refusal(clusters, old, new, mode.options, ended)
    if change_checksums is not None:
        _run_pg_checksums(
            clusters, new, change_checksums, "--enable" if wanted.checksums else "--disable", timeout
        )
    new.start()
    if wanted.maintain:
        new.maintain()
    return new


def checked_mode(old: Cluster, install: Install, wanted: Upgrade) -> Mode:
    """Return the requested mode, after checking that pg_upgrade can upgrade this server to that install.

    Raises:
        CapabilityMissingError: the new install lacks programs that pg_upgrade needs.
        ServerError: there is no such mode, the new version doesn't support it, or the new version is older.
    """
    mode = _mode(wanted.mode, install.version)
    if lacking := sorted(NEEDS_NEW - install.capabilities):
        raise _lacking(lacking, install, old.version, install.version)
    if install.version < old.version:
        raise ServerError(
            f"{old.name} is PostgreSQL {old.version}, which pg_upgrade can't turn into the older {install.version}",
            remedy="name a newer version",
        )
    return mode


def successor(
    clusters: Workshop[Cluster], old: Cluster, install: Install, settings: Mapping[str, object] | None = None
) -> Cluster:
    """Create a cluster, not started, that pg_upgrade accepts as the new cluster for a running one.

    Raises:
        ServerStartError: the new server refuses its settings.
    """
    options = tuple(_initdb_options(old, install.version, has_checksums(old)))
    new = clusters.successor(old, install, settings, initdb_options=options)
    try:
        _check_settings(new)
    except BaseException:
        forget(old, new)
        raise
    return new


def has_checksums(cluster: Cluster) -> bool:
    """Whether a running server has data checksums enabled."""
    return cluster.sql("SHOW data_checksums") == [("on",)]


def _check_settings(new: Cluster) -> None:
    """Check that the new server accepts its configuration, before anything is changed."""
    from pytest_pgfeatures.server.start_failure import configuration_refusal, remedy

    refusal = configuration_refusal(new, "")
    if refusal is not None:
        raise ServerStartError(
            f"PostgreSQL {new.version} does not start with these settings: {refusal}", remedy=remedy(refusal)
        )


def forget(old: Cluster, new: Cluster) -> None:
    """Remove a new cluster to which the old one is not upgraded."""
    old.successors.remove(new)
    new.remove()


def _mode(name: str, version: PgVersion) -> Mode:
    for mode in MODES:
        if mode.name == name:
            if version in mode.versions:
                return mode
            raise ServerError(
                f"pg_upgrade of PostgreSQL {version} has no {' '.join(mode.options)}",
                remedy=f"mode={name!r} is for majors {mode.versions}; use another mode",
            )
    raise ServerError(
        f"there is no mode {name!r} of pg_upgrade",
        remedy=f"use one of {', '.join(mode.name for mode in MODES)}",
    )


def _programs_of_old(clusters: Workshop[Cluster], install: Install, version: PgVersion) -> Install:
    """The old server's install; another one of the same major if it lacks programs that pg_upgrade runs."""
    needs = (
        NEEDS_OLD if install.version in _HAS_RESETWAL else {name.replace("wal", "xlog") for name in NEEDS_OLD}
    )
    lacking = sorted(needs - install.capabilities)
    if not lacking:
        return install
    try:
        return clusters.resolver.resolve(VersionSet(install.version.major), needs)
    except CapabilityMissingError:
        raise _lacking(lacking, install, install.version, version) from None


def _lacking(programs: list[str], install: Install, old: PgVersion, new: PgVersion) -> CapabilityMissingError:
    return CapabilityMissingError(
        f"pg_upgrade from PostgreSQL {old} to {new} needs {' and '.join(programs)} of "
        f"{install.version}, which its install from {install.source} lacks",
        capability=programs[0],
        details=(f"looked in {install.bindir}",),
        remedy="point at an install that has it, with path:DIR or PGFEATURES_PATH; or use dump_to()",
    )


def _initdb_options(old: Cluster, version: PgVersion, checksums: bool) -> Iterator[str]:
    """The initdb options with which pg_upgrade accepts the new data directory for the old one."""
    ((encoding, collate, ctype),) = old.sql(
        "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = 'template0'"
    )
    if checksums:
        yield "--data-checksums"
    elif version in _CHECKSUMS_BY_DEFAULT:
        yield "--no-data-checksums"
    ((segment_size,),) = old.sql(
        "SELECT setting::bigint * CASE unit WHEN '8kB' THEN 8192 ELSE 1 END"
        " FROM pg_settings WHERE name = 'wal_segment_size'"
    )
    if segment_size != 16 << 20 and version in _SEGMENT_SIZE:
        yield f"--wal-segsize={segment_size >> 20}"
    if (encoding, collate, ctype) != ("UTF8", "C", "C") and version not in _COPIES_LOCALE:
        yield f"--encoding={encoding}"
        yield f"--lc-collate={collate}"
        yield f"--lc-ctype={ctype}"


def run_pg_upgrade(
    clusters: Workshop[Cluster],
    old: Cluster,
    new: Cluster,
    old_programs: Path,
    options: Sequence[str],
    timeout: float,
) -> Finished:
    """Run pg_upgrade of the new cluster's install.

    Parameters:
        old_programs: the directory of the old server's programs.
        options: other options of pg_upgrade.

    Raises:
        WaitTimeoutError: it took longer than ``timeout``. The details have the last lines of its log files.
    """
    work = new.socket_directory  # pg_upgrade puts its servers' sockets there, and up to 14 its log files
    argv: list[str | Path] = [
        new.install.program("pg_upgrade"),
        *("--old-bindir", old_programs, "--new-bindir", new.install.bindir),
        *("--old-datadir", old.datadir, "--new-datadir", new.datadir),
        *("--username", old.user),
    ]
    argv += options
    argv += ["--no-sync"] if new.version in _NO_SYNC else []
    try:
        return clusters.run(argv, environment=program_environment(new.install), cwd=work, timeout=timeout)
    except WaitTimeoutError as error:
        error.details = (*error.details, *_logs(work, new.datadir, account=clusters.account))
        raise


def refusal(
    clusters: Workshop[Cluster], old: Cluster, new: Cluster, options: Sequence[str], ended: Finished
) -> ServerError:
    """The error to raise if pg_upgrade failed: its reasons, and the last lines of its output and log files."""
    details = (
        " ".join(ended.argv),
        *ended.output.splitlines()[-_LINES_OF_OUTPUT:],
        *_logs(new.socket_directory, new.datadir, account=clusters.account),
    )
    how, remedy = f"ended with status {ended.status}", "correct what pg_upgrade says"
    if ended.status < 0:
        how = f"was {ended}"
        remedy = "see the kernel's log: memory may have run out, or somebody ended it; then run it again"
    elif known := reasons(details):
        how += f": {'; '.join(reason for reason, _ in known)}"
        remedy = "; ".join(dict.fromkeys(advice.rstrip(".") for _, advice in known))
    return ServerError(
        f"{' '.join(('pg_upgrade', *options))} from PostgreSQL {old.version} to {new.version} {how}",
        details=details,
        remedy=remedy + ("" if old.running() else f"; {old.name} is stopped"),
    )


def _run_pg_checksums(
    clusters: Workshop[Cluster], new: Cluster, program: Path, option: str, timeout: float
) -> None:
    """Enable or disable data checksums in a stopped cluster
    (https://www.postgresql.org/docs/current/app-pgchecksums.html)."""
    ended = clusters.run(
        [program, option, "--no-sync", "--pgdata", new.datadir],
        environment=program_environment(new.install),
        timeout=timeout,
    )
    if ended.status != 0:
        raise ServerError(
            f"pg_checksums {option} of PostgreSQL {new.version} ended with status {ended.status}",
            details=(" ".join(ended.argv), *ended.output.splitlines()[-20:]),
            remedy="see what it printed",
        )


def _logs(*places: Path, account: Account | None) -> Iterator[str]:
    """The errors and the last lines of pg_upgrade's log and report files.

    They are in its working directory; from 15 on, in the new cluster's data directory.
    """
    found = [path for place in places for path in (*place.glob("*.log"), *place.glob("*.txt"))]
    found += places[-1].glob("pg_upgrade_output.d/**/*.log")
    found += places[-1].glob("pg_upgrade_output.d/**/*.txt")
    for path in sorted(found):
        with contextlib.suppress(OSError):
            if lines := read_text(path, account).splitlines():
                yield f"{path.name}:"
                errors = [line for line in lines[:-_LINES_OF_A_LOG] if _ERROR.search(line)]
                yield from (f"    {line}" for line in errors[-_ERRORS_OF_A_LOG:])
                yield from (f"    {line}" for line in lines[-_LINES_OF_A_LOG:])
