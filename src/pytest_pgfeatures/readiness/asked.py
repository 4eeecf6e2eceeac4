"""The options of a run of ``pgfeatures readiness``, without passwords: for reports and ``pgfeatures merge``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from pytest_pgfeatures.readiness.model import FailOn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import StageRun

_FAIL_ON = get_args(FailOn)


@dataclass(frozen=True, slots=True)
class ReadinessAsked:
    """The options of a run.

    Parameters:
        old, new: versions, as ``--pg`` takes them.
        command: the command line.
        again: the command line that repeats one stage, by :func:`key_of` of stage and pair.
        fail_on: ``affects``, ``may`` or ``never``.
        interrupted: whether stages are missing because the run was interrupted.
    """

    old: str
    new: str
    command: str
    again: Mapping[str, str] = field(default_factory=dict)
    fail_on: FailOn = "affects"
    interrupted: bool = False

    @classmethod
    def by(
        cls, options: ReadinessOptions, runs: Iterable[StageRun], *, interrupted: bool = False
    ) -> ReadinessAsked:
        """The options that concern the stages that ran."""
        again = {key_of(run.stage, run.pair): options.command(run.stage) for run in runs}
        return cls(options.old, options.new, options.command(), again, options.fail_on, interrupted)

    @classmethod
    def together(cls, each: Iterable[ReadinessAsked]) -> ReadinessAsked:
        """The options of several runs together. The strictest ``fail_on`` counts."""
        all_of_them = list(each)
        return cls(
            ",".join(dict.fromkeys(asked.old for asked in all_of_them)),
            ",".join(dict.fromkeys(asked.new for asked in all_of_them)),
            " and ".join(dict.fromkeys(asked.command for asked in all_of_them)),
            {key: command for asked in all_of_them for key, command in asked.again.items()},
            max((asked.fail_on for asked in all_of_them), key=_FAIL_ON.index),
            any(asked.interrupted for asked in all_of_them),
        )


def key_of(stage: str, pair: str) -> str:
    """The name of a stage's run for a pair: ``schema 14-18``."""
    return f"{stage} {pair}"
