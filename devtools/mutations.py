"""``python -m devtools.mutations``: change each expectation of the atlas in turn, and check that its test fails.

A behavior is run on each version where a row of its table begins or ends: once with another value in that row, and
once with another result for its remedy. Each run must deviate; a behavior that does not deviate tests nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from devtools.boundaries import VERSIONS, around_changes
from pytest_pgfeatures.behaviors.model import Behavior
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.cli.runner import run_atlas
from pytest_pgfeatures.plugin.properties import RESULT
from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from pytest_pgfeatures.results.evidence import Plain

QUIET = ("-q", "--no-header", "--no-summary", "--tb=no")


def another(value: Plain) -> Plain:
    """Return a different value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value}?"
    if isinstance(value, list):
        return [*value, None]
    if isinstance(value, dict):
        return {**value, "mutated": None}
    return "mutated"


def mutated(behavior: Behavior, version: str) -> Behavior:
    """Return the behavior with another value in the row of its table that contains a version."""
    row = behavior.row(PgMajor(version))
    changed = replace(row, value=another(row.value))
    return replace(behavior, expected=tuple(changed if each is row else each for each in behavior.expected))


def with_mutated_remedy(behavior: Behavior, version: str) -> Behavior:
    """Return the behavior with another expected result for its remedy."""
    assert behavior.remedied is not None
    return replace(behavior, remedied=mutated(behavior.remedied, version))


class Mutator:
    """A pytest plugin that substitutes mutated behaviors and records their outcomes.

    Parameters:
        mutated: the mutated behaviors, by id.
    """

    def __init__(self, mutated: Mapping[str, Behavior]) -> None:
        self.mutated = mutated
        self.outcomes: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Replace each test's behavior with the mutated one."""
        for item in items:
            function: Any = getattr(item, "function", None)
            if (found := Behavior.of(function)) is not None:
                function.behavior = self.mutated[found.id]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the outcome."""
        if (result := getattr(report, RESULT, None)) is not None:
            self.outcomes[result["item"]["id"]] = result["outcome"]


@click.command("python -m devtools.mutations")
@click.argument("versions", nargs=-1)
def command(versions: tuple[str, ...]) -> None:
    """Change each expectation of the atlas in turn, on VERSIONS (default: all available ones).

    The exit status is 0 if a test noticed each change.
    """
    total: Counter[str] = Counter()
    survivors = []
    behaviors = list(atlas().values())
    for version in versions or VERSIONS:
        for name, mutate in (("row", mutated), ("remedy", with_mutated_remedy)):
            chosen = [
                each
                for each in behaviors
                if version in around_changes(each) and (name == "row" or each.remedied is not None)
            ]
            mutator = Mutator({each.id: mutate(each, version) for each in chosen})
            run_atlas(version, QUIET, behaviors=chosen, plugins=[mutator])
            outcomes = {each.id: mutator.outcomes.get(each.id, "not run") for each in chosen}
            total += Counter(outcomes.values())
            survivors += [
                f"{id} on {version} ({name}): {outcome}"
                for id, outcome in outcomes.items()
                if outcome not in ("deviates", "unavailable")
            ]
            click.echo(f"{version} {name}: {dict(Counter(outcomes.values()))}", err=True)
    click.echo(f"{sum(total.values())} expectations changed: {dict(total)}")
    click.echo("\n".join(survivors))
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    command()
