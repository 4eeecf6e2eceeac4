"""The command ``pgfeatures``: one file per verb, loaded when the verb is used."""

from __future__ import annotations


def main() -> None:
    """Run the command ``pgfeatures``; its exit statuses are in docs/exit-statuses.md."""
    from pytest_pgfeatures.cli.process import run

    raise SystemExit(run())
