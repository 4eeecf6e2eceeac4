"""The group of verbs, and the handling of errors."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import click

from pytest_pgfeatures.errors import PgFeaturesError

EXIT_ERROR = 2
"""Exit status for an error that the user can fix; click uses it for wrong arguments."""


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
    "run": Verb("run", "Run any command once for each version, with a fresh server."),
    "extension": Verb("extension", "Build an extension, run its tests, dump and upgrade it, on every major."),
    "show": Verb("show", "List the behaviors, or show one and what servers answer."),
    "delta": Verb("delta", "Print what differs between two majors, and verify it on both."),
    "readiness": Verb("readiness", "Show how an upgrade affects your application, with evidence."),
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
        """Run the verb. Print our own errors on stderr without a traceback."""
        try:
            return super().invoke(context)
        except PgFeaturesError as error:
            click.echo(f"pgfeatures: {error}", err=True)
            context.exit(EXIT_ERROR)


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pytest-pgfeatures", prog_name="pgfeatures")
def pgfeatures() -> None:
    """PostgreSQL version behavior, executable."""
