"""``pgfeatures show ID --pg 15,16``: show a behavior with the servers' answers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.arguments import pg_option
from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.files import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console

    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.results.model import Result


@click.command("show")
@click.argument("id", required=False)
@pg_option("Versions to run it on, such as 15,16.")
@json_option("the behavior, or without an ID all of them,")
def command(id: str | None, pg: str | None, json_file: Path | None) -> None:
    """Show a behavior: the documented facts, and the transcripts of its observation side by side.

    Without an ID, list the behaviors of the atlas.

    The exit status is 0 if the behavior is as documented, or unavailable, on every version.
    """
    from rich.console import Console

    from pytest_pgfeatures.behaviors.registry import atlas, find
    from pytest_pgfeatures.cli.runner import run_atlas
    from pytest_pgfeatures.plugin.results import Gatherer
    from pytest_pgfeatures.report.behavior_documents import described, observed

    console = Console(highlight=False)
    if id is None:
        listed = [described(behavior) for behavior in atlas().values()]
        write_files((json_file, lambda path: write_json(path, listed)))
        _print_list(console, atlas().values())
        return
    behavior = find(id, atlas())
    _print_declared(console, behavior)
    gatherer = Gatherer()
    status = run_atlas(pg, ["-p", "no:terminal"], behaviors=[behavior], plugins=[gatherer])
    results = gatherer.behaviors()
    document = observed(behavior, results)
    write_files((json_file, lambda path: write_json(path, document)))
    _print_observed(console, results)
    sys.exit(status)


def _print_list(console: Console, behaviors: Iterable[Behavior]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    area = None
    for behavior in sorted(behaviors, key=lambda behavior: behavior.area):
        if behavior.area != area:
            area = behavior.area
            table.add_row(Text(area, "bold cyan"))
        table.add_row(behavior.id, Text(behavior.title))
    console.print(table)


def _print_declared(console: Console, behavior: Behavior) -> None:
    from rich.table import Table
    from rich.text import Text

    from pytest_pgfeatures.report.values import shown

    console.print(Text.assemble((behavior.title, "bold"), "  ", (behavior.id, "dim")))
    facts = Table.grid(padding=(0, 1))
    facts.add_column(style="dim", no_wrap=True)
    for row in behavior.expected:
        facts.add_row(str(row.versions), Text(shown(row.value)))
    for name, text in (
        ("remedy", behavior.remedy),
        ("note", behavior.note),
        ("source", behavior.source),
        ("manual", behavior.manual_url),
    ):
        if text:
            facts.add_row(name, Text(text, overflow="fold"))
    console.print(facts)


def _print_observed(console: Console, results: list[Result]) -> None:
    if not results:
        return  # pytest has reported the reason
    from rich.rule import Rule
    from rich.text import Text

    from pytest_pgfeatures.report.transcripts import side_by_side
    from pytest_pgfeatures.report.values import shown

    console.print(Rule(style="dim"))
    transcripts = {result.cell: result.evidence.transcript for result in results if result.ran}
    for part in side_by_side(transcripts, console):
        console.print(part)
    console.print(Rule(style="dim"))
    for result in results:
        where = f"PostgreSQL {result.install.version}" if result.install else result.cell
        what = result.summary or shown(result.evidence.observed)
        console.print(Text(f"{where}: {result.outcome}: {what}"))
