"""Dumps in the custom, directory and tar formats: find out which pg_dump wrote them, and convert them to scripts.

pg_restore converts them (https://www.postgresql.org/docs/current/app-pgrestore.html).
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import InstallError, ScriptError, VersionError
from pytest_pgfeatures.files import largest_input, read_regular
from pytest_pgfeatures.install import Request
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Install, Resolver

MAGIC = b"PGDMP"
TABLE_OF_CONTENTS = "toc.dat"
"""The file, in a directory or tar archive, whose beginning equals that of a custom-format dump."""
_HEADER = 4096
_LIMITED = 'ulimit -f "$1" && exec "$2" --file "$3" "$4"'
"""A command that ends pg_restore when its script exceeds the limit: compressed data may grow to 1000 times
its size."""
_SECONDS = 600.0


def is_archive(path: Path) -> bool:
    """Whether a file or directory is for pg_restore, not for psql."""
    if path.is_dir():
        return (path / TABLE_OF_CONTENTS).is_file()
    if not path.is_file():
        return False  # reading would consume a pipe's beginning, and might wait forever
    beginning = _beginning(path)
    return beginning.startswith((MAGIC, f"{TABLE_OF_CONTENTS}\0".encode()))


def script_of(path: Path, resolver: Resolver) -> bytes:
    """Convert an archive to a script with a pg_restore that is no older than the pg_dump that wrote it.

    Raises:
        ScriptError: no install has such a pg_restore, or pg_restore rejected the archive.
    """
    writer = _writer(path)
    install = _reader(path, writer, resolver)
    with tempfile.TemporaryDirectory(prefix="pgfeatures-") as directory:
        script = Path(directory) / "script.sql"
        limit = largest_input()
        ended = subprocess.run(
            [
                "/bin/sh",
                "-c",
                _LIMITED,
                "sh",
                str(limit // 512 + 1),
                install.program("pg_restore"),
                script,
                path,
            ],
            env=program_environment(install),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        if script.is_file() and script.stat().st_size > limit:
            return read_regular(script)  # the error says that the script is too large
        if ended.returncode != 0 or not script.is_file():
            raise ScriptError(
                f"pg_restore of {install.version} can't read {path} (exit status {ended.returncode})",
                file=str(path),
                details=tuple(ended.stderr.decode(errors="replace").splitlines()[-10:]),
                remedy="see its message; a truncated dump has to be dumped again",
            )
        return read_regular(script)


def _reader(path: Path, writer: PgVersion | None, resolver: Resolver) -> Install:
    """The nearest available install whose pg_restore reads the archive, else one that can be downloaded."""
    versions = VersionSet("all") if writer is None else VersionSet(f">={writer.major}")
    fitting = [
        install
        for install in resolver.inventory.at_hand()
        if install.has("pg_restore") and install.version in versions
    ]
    try:
        if not fitting:
            return resolver.resolve(Request(versions), {"pg_restore"})
        nearest = min(fitting, key=lambda install: install.version)
        return resolver.resolve(Request(VersionSet(nearest.version), nearest.source), {"pg_restore"})
    except (InstallError, VersionError) as error:
        written = f"pg_dump of {writer}" if writer else "pg_dump"
        raise ScriptError(
            f"no install has a pg_restore that can read {path}, which {written} wrote",
            file=str(path),
            details=tuple(str(error).splitlines()),
            remedy="point PGFEATURES_PATH at an install that has one, or dump in the plain format",
        ) from error


def _writer(path: Path) -> PgVersion | None:
    """The version of the pg_dump that wrote an archive; None if its beginning can't be read."""
    try:
        return PgVersion(_Header(_table_of_contents(path)).dumped_by().split()[0])
    except (IndexError, VersionError, tarfile.TarError):
        return None  # pg_restore reports the error


def _table_of_contents(path: Path) -> bytes:
    if path.is_dir():
        return _beginning(path / TABLE_OF_CONTENTS)
    beginning = _beginning(path)
    if beginning.startswith(MAGIC):
        return beginning
    with tarfile.open(path) as archive:
        member = archive.extractfile(TABLE_OF_CONTENTS)
        return member.read(_HEADER) if member else b""


def _beginning(path: Path) -> bytes:
    return read_regular(path, _HEADER)


class _Header:
    """The first fields of an archive. An integer is a sign and some bytes, least significant first."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        major, minor = raw[5], raw[6]
        self._format = (major, minor)
        self._width = raw[8]
        self._at = len(MAGIC) + 6  # version, sizes of integers and offsets, format

    def dumped_by(self) -> str:
        """The version string that pg_dump wrote."""
        if self._format >= (1, 15):
            self._at += 1  # the compression algorithm, new in 16
        else:
            self._integer()  # the compression level
        for _ in range(7):  # the time of the dump
            self._integer()
        self._text()  # the database's name
        self._text()  # the server's version
        return self._text()

    def _integer(self) -> int:
        start = self._at + 1
        self._at = start + self._width
        value = int.from_bytes(self._raw[start : self._at], "little")
        return -value if self._raw[start - 1] else value

    def _text(self) -> str:
        length = max(self._integer(), 0)
        start = self._at
        self._at += length
        return self._raw[start : self._at].decode(errors="replace")
