"""The group of verbs, and the handling of errors."""

from __future__ import annotations

import errno
import importlib
from dataclasses import dataclass
from typing import Any

import click

from pytest_pgfeatures.cli.result_files import report_unwritten_files
from pytest_pgfeatures.errors import PgFeaturesError

EXIT_ERROR = 2
"""Exit status for an error that the user can fix; click uses it for wrong arguments."""
EXIT_INTERRUPTED = 130
"""The shell's status for a program that SIGINT ended."""

_LIMITS = {
    errno.EMFILE: "raise the limit on open files: ulimit -n 1024",
    errno.ENFILE: "end other programs: the machine has too many open files",
    errno.EAGAIN: "raise the limit on processes: ulimit -u",
    errno.ENOMEM: "make memory free",
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room, or raise the quota",
    errno.EFBIG: "raise the limit on the size of files: ulimit -f",
    errno.EROFS: "name a place that can be written to",
    errno.EIO: "look at the disk: the system's log tells more",
}
"""Limits of the machine that any step can meet, with remedies."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb. The module ``cli/<module>.py`` defines it as a click command named ``command``."""

    module: str
    summary: str


VERBS: dict[str, Verb] = {
    "install": Verb("install", "Make installs of these versions ready for use."),
    "list": Verb("list", "Show the installs at hand, with their capabilities."),
    "doctor": Verb("doctor", "Show everything that was probed, found or missing, and why."),
    "clean": Verb("clean", "Remove installs, templates and leftovers from the store."),
    "verify": Verb("verify", "Check the behaviors of the atlas on real servers, and print the matrix."),
    "merge": Verb("merge", "Put the results of several machines together."),
    "matrix": Verb("matrix", "Print the matrix of jobs that spreads versions over machines."),
    "run": Verb("run", "Run any command once for each version, with a fresh server."),
    "extension": Verb("extension", "Build an extension, run its tests, dump and upgrade it, on every major."),
    "show": Verb("show", "List the behaviors, or show one and what servers answer."),
    "delta": Verb("delta", "Print what differs between two majors, and verify it on both."),
    "readiness": Verb("readiness", "Show how an upgrade affects your application, with evidence."),
    "measure": Verb("measure", "Repeat the documents' measurements, and compare the ratios."),
    "init": Verb("init", "Write the configuration and a first test for your project."),
    "statistics": Verb("statistics", "Export a database's planner statistics, for plans without its data."),
    "needs": Verb("needs", "Show which majors accept each statement of SQL files."),
    "bisect": Verb("bisect", "Find the first major at which the answer to a statement changes."),
}


class Verbs(click.Group):
    """Loads a verb's module only when the verb is used, so that each command starts fast."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names of the verbs in the order of the table."""
        return list(VERBS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Return the command of a verb; None if there is no such verb."""
        if name not in VERBS:
            return None
        module = importlib.import_module(f"pytest_pgfeatures.cli.{VERBS[name].module}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the verbs from the table, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])

    def invoke(self, context: click.Context) -> Any:
        """Run the verb. Print errors on stderr without a traceback, except for our own mistakes."""
        status = self._status(context)
        if report_unwritten_files(context):
            status = EXIT_INTERRUPTED if status == EXIT_INTERRUPTED else EXIT_ERROR
        context.exit(status)

    def _status(self, context: click.Context) -> int:
        try:
            super().invoke(context)
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except click.exceptions.Exit as ended:
            return ended.exit_code
        except KeyboardInterrupt:
            click.echo("pgfeatures: interrupted", err=True)
            return EXIT_INTERRUPTED
        except PgFeaturesError as error:
            click.echo(f"pgfeatures: {error}", err=True)
            return EXIT_ERROR
        except (OSError, MemoryError, RuntimeError) as error:
            if (refusal := refusal_of_machine(error)) is None:
                raise
            click.echo(f"pgfeatures: {refusal}", err=True)
            return EXIT_ERROR
        return 0


def refusal_of_machine(error: Exception) -> PgFeaturesError | None:
    """The error to show if the machine refused space, memory, files or processes; None for any other error."""
    if isinstance(error, OSError) and error.errno in _LIMITS:
        where = f"{error.filename}: " if error.filename is not None else ""
        return PgFeaturesError(f"{where}{error.strerror}", remedy=_LIMITS[error.errno])
    if isinstance(error, MemoryError):
        return PgFeaturesError("there is not enough memory", remedy=_LIMITS[errno.ENOMEM])
    if isinstance(error, RuntimeError) and str(error) == "can't start new thread":
        return PgFeaturesError("no more threads can be started", remedy=_LIMITS[errno.EAGAIN])
    return None


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pytest-pgfeatures", prog_name="pgfeatures")
def pgfeatures() -> None:
    """PostgreSQL version behavior, executable."""
