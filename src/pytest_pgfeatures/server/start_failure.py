"""Why a server did not start, or would not start: its message, and the remedy."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.configuration import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server.process import SupervisorClient


class Cause(NamedTuple):
    """The meaning of a log line for a user who only needs a server."""

    pattern: str
    remedy: str


_MORE_ROOM = "free some space, or set PGFEATURES_RUN to a directory on another disk"

CAUSES: tuple[Cause, ...] = (
    Cause(
        r'unrecognized configuration parameter "(?P<name>[^"]+)"',
        "this major has no setting {name}: give it only to those that have (see the manual of its major), "
        "or load the module that defines it with shared_preload_libraries",
    ),
    Cause(
        r'(?:invalid value for|parameter) (?:parameter )?"(?P<name>[^"]+)"(?:: "| requires| must)',
        "correct the value of the setting {name}",
    ),
    Cause(
        r"\d+ is outside the valid range for parameter \"(?P<name>[^\"]+)\"",
        "correct the value of the setting {name}",
    ),
    Cause(
        r"database files are incompatible with server|initialized by PostgreSQL version (?P<name>\S+),",
        "the data directory was made by another major: start it with that major, or upgrade it",
    ),
    Cause(
        r"could not load library \"(?P<name>[^\"]+)\"", "install what {name} needs, or choose another install"
    ),
    Cause(
        r"could not access file \"(?P<name>[^\"]+)\"",
        'this install has no library {name}: ask for one that has it, as in needs=["contrib:pg_stat_statements"]',
    ),
    Cause(r"could not load .*pg_hba\.conf", "correct the lines of pg_hba="),
    Cause(r"No space left on device|Disk quota exceeded", _MORE_ROOM),
    Cause(
        r"could not (?:bind|create) .*(?:Address already in use)",
        "another server has this port: let us choose one",
    ),
    Cause(r"Unix-domain socket path .* is too long", "set PGFEATURES_RUN to a directory with a shorter path"),
    Cause(
        r"could not create shared memory segment|could not map anonymous shared memory",
        "lower shared_buffers",
    ),
    Cause(
        r"has wrong ownership|has group or world access|invalid permissions",
        "restore the data directory's owner and mode 0700",
    ),
    Cause(
        r"lock file \"postmaster.pid\" already exists",
        "another server runs in this data directory: stop it first",
    ),
    Cause(
        r"Killed|out of memory|Cannot allocate memory",
        "the machine is short of memory: run fewer servers at once",
    ),
)

PORT_TAKEN = re.compile(r"Address already in use|could not create any TCP/IP sockets")


def remedy(log: str, *, full: bool = False) -> str:
    """The remedy for a server with this log.

    Parameters:
        full: whether the disk of its data directory and its log is full, so that it may not have been able to
            log that.
    """
    for cause in CAUSES:
        if match := re.search(cause.pattern, log):
            return cause.remedy.format(**match.groupdict())
    if full:
        return _MORE_ROOM
    return "see the last lines of its log, above"


_NO_CAUSES = ("configuration file ", "database system is shut down", "shutting down")
_SAID = re.compile(r"(LOG|FATAL):  (.*?)(?: in file \".*)?$", re.MULTILINE)


class Configured(Protocol):
    """A server whose configuration can be checked: a :class:`~pytest_pgfeatures.server.Cluster`."""

    install: Install
    datadir: Path
    supervisor: SupervisorClient


def configuration_refusal(cluster: Configured, conf: str) -> str | None:
    """The message with which the server's program refuses this configuration; None if it accepts it. The
    program reads the configuration as at a start, and ends before it opens the data directory
    (https://www.postgresql.org/docs/current/app-postgres.html, the option -C). So the server may be running.

    Parameters:
        conf: lines to add to its ``postgresql.conf``, with the settings under the names given here.

    Returns:
        the message, without a file's name and line.
    """
    file = cluster.datadir.with_name(f"checked-{secrets.token_hex(4)}.conf")
    file.write_text(f"include {quoted(str(cluster.datadir / 'postgresql.conf'))}\n{conf}\n")
    file.chmod(0o644)  # the server's account must be able to read it; the directory is private
    ended = cluster.supervisor.run(
        [
            cluster.install.program("postgres"),
            "-D",
            cluster.datadir,
            "-c",
            f"config_file={file}",
            "-C",
            "port",
        ],
        output=file.with_suffix(".log"),
        environment=program_environment(cluster.install),
    )
    if ended.status == 0:
        return None
    return last_words(ended.output)


def last_words(log: str) -> str:
    """The last message that a server logged before it ended, without a file's name and line, and without the
    message that a configuration file contains errors."""
    said = [match for match in _SAID.findall(log) if not match[1].startswith(_NO_CAUSES)]
    fatal = [match for match in said if match[0] == "FATAL"]
    return (fatal or said)[-1][1] if said else log.strip()
