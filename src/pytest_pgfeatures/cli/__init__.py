"""The command ``pgfeatures``: one file per verb, loaded when the verb is used."""

from __future__ import annotations


def main() -> None:
    """Run the command ``pgfeatures``. Exit status 2 and no traceback for what the user can put right."""
    from pytest_pgfeatures.cli.main import pgfeatures

    pgfeatures()
