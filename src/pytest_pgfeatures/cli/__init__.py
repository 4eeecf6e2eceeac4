"""The command ``pgfeatures``: one file per verb, loaded when the verb is used."""

from __future__ import annotations


def main() -> None:
    """Run the command ``pgfeatures``. Errors that the user can fix give exit status 2 and no traceback."""
    from pytest_pgfeatures.cli.main import pgfeatures

    pgfeatures()
