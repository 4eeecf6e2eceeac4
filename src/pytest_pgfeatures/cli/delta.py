"""``pgfeatures delta 15 16 --verify``: what differs between two majors."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.version import read_version

if TYPE_CHECKING:
    from pytest_pgfeatures.behaviors.delta import Change


@click.command("delta")
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="A list of objects, one for each difference.")
@click.option("--verify", is_flag=True, help="Check just these on a server of either version.")
def command(old: str, new: str, as_json: bool, verify: bool) -> None:
    """Print what differs between two majors, from the atlas alone; no server is started.

    OLD and NEW are versions such as 15 or 16.2. A major stands for its newest release.

    With --verify the exit status is 0 if both servers are as documented, or a capability is unavailable.
    """
    from rich.console import Console

    from pytest_pgfeatures.behaviors.delta import delta
    from pytest_pgfeatures.behaviors.registry import atlas
    from pytest_pgfeatures.cli.runner import run_atlas
    from pytest_pgfeatures.report.delta import render_delta

    versions = read_version(old), read_version(new)
    changes = delta(*versions, atlas().values())
    if as_json and verify:
        raise click.UsageError("--json is what the atlas says; pgfeatures verify --json has what servers do")
    if as_json:
        click.echo(json.dumps([_as_object(change) for change in changes], indent=2, ensure_ascii=False))
        return
    console = Console(highlight=False)
    for part in render_delta(*versions, changes):
        console.print(part)
    if not changes:
        console.print(f"The atlas knows of nothing that differs between {old} and {new}.")
    elif verify:
        behaviors = [change.behavior for change in changes]
        sys.exit(run_atlas(f"{old},{new}", ["-rN", "-q"], behaviors=behaviors))


def _as_object(change: Change) -> dict[str, object]:
    from pytest_pgfeatures.report.values import conditions

    behavior = change.behavior
    return {
        "behavior": behavior.id,
        "title": behavior.title,
        "area": behavior.area,
        "kind": behavior.kind,
        "since": str(behavior.since.major) if behavior.since else None,
        "before": change.before,
        "after": change.after,
        "conditions": conditions(change.before, change.after),
        "remedy": behavior.remedy,
        "note": behavior.note,
        "source": behavior.source,
        "manual": behavior.manual_url,
    }
