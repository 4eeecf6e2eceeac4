"""The versions that options name: an unset variable of CI is none of them, for any verb."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import VERBS, pgfeatures

REST = {
    "bisect": ["SELECT 1"],
    "extension": ["hstore"],
    "needs": ["-"],
    "run": ["--", "true"],
    "show": ["16/any-value"],
}
"""A verb's other arguments, so that nothing else is wrong."""


def options() -> list[tuple[str, str]]:
    """All options of all verbs that take versions."""
    found = []
    for verb in VERBS:
        command = pgfeatures.get_command(click.Context(pgfeatures), verb)
        found += [
            (verb, parameter.opts[0])
            for parameter in command.params
            if {"--pg", "--from", "--to"} & set(parameter.opts)
        ]
    return found


def test_these_verbs_take_versions() -> None:
    assert {verb for verb, _ in options()} >= {
        "run",
        "verify",
        "matrix",
        "measure",
        "readiness",
        "init",
        *REST,
    }


@pytest.mark.parametrize(("verb", "option"), options())
@pytest.mark.parametrize("value", ["", " "])
def test_an_unset_variable_is_no_version(verb: str, option: str, value: str) -> None:
    ended = CliRunner().invoke(pgfeatures, [verb, option, value, *REST.get(verb, [])])
    assert ended.exit_code == 2
    assert ended.stderr == (
        f"pgfeatures: {option} names no version: is the variable that it is given unset?\n"
        f"what to do: write versions such as 14..18, or leave {option} out\n"
    )
    assert not ended.stdout


def test_versions_are_checked_before_anything_is_printed() -> None:
    ended = CliRunner().invoke(pgfeatures, ["show", "16/any-value", "--pg", "14-18"])
    assert ended.exit_code == 2
    assert not ended.stdout
    assert ended.stderr.endswith("what to do: did you mean 14..18?\n")


@pytest.mark.parametrize(
    ("arguments", "who"),
    [
        (["install", ""], "VERSIONS"),
        (["install", "14", " "], "VERSIONS"),
        (["delta", "--catalog", "", "18"], "OLD"),
        (["delta", "--catalog", "14", ""], "NEW"),
    ],
)
def test_an_argument_that_is_empty_is_named(arguments: list[str], who: str) -> None:
    ended = CliRunner().invoke(pgfeatures, arguments)
    assert ended.exit_code == 2
    assert ended.stderr == (
        f"pgfeatures: {who} names no version: is the variable that it is given unset?\n"
        "what to do: write versions such as 14..18\n"
    )


def test_an_argument_that_can_not_be_read_is_named() -> None:
    ended = CliRunner().invoke(pgfeatures, ["install", "=>16"])
    assert ended.exit_code == 2
    assert ended.stderr.startswith("pgfeatures: in VERSIONS '=>16': ")
    assert ended.stderr.endswith("what to do: did you mean >=16?\n")
