"""The options of a run of ``pgfeatures readiness``, without passwords: for reports and ``pgfeatures merge``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import FAIL_ON, FailOn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import StageRun


@dataclass(frozen=True, slots=True)
class ReadinessAsked:
    """The options of a run.

    Parameters:
        old, new: versions, as ``--pg`` takes them.
        again: the command line that repeats one stage, by :func:`key_of` of stage and pair.
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
        runs = list(each)
        return cls(
            ",".join(dict.fromkeys(asked.old for asked in runs)),
            ",".join(dict.fromkeys(asked.new for asked in runs)),
            " and ".join(dict.fromkeys(asked.command for asked in runs)),
            {key: command for asked in runs for key, command in asked.again.items()},
            max((asked.fail_on for asked in runs), key=FAIL_ON.index),
            any(asked.interrupted for asked in runs),
        )


def key_of(stage: str, pair: str) -> str:
    """The name of a stage's run for a pair: ``schema 14-18``."""
    return f"{stage} {pair}"
