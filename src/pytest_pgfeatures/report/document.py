"""Results as JSON documents for other programs.

The formats are documented in docs/behaviors.md and docs/extensions.md. An incompatible change to a format
increases ``format`` by one.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.report.matrix import by_behavior
from pytest_pgfeatures.report.values import conditions
from pytest_pgfeatures.results.model import BEHAVIOR_OUTCOMES

if TYPE_CHECKING:
    from pytest_pgfeatures.results.model import InstallUsed, JobResults, Outcome, Result, Tally

FORMAT = 1


def matrix_document(run: JobResults, tally: Tally) -> dict[str, Any]:
    """Return the results of behaviors and tests, for ``--pg-json`` and ``pgfeatures verify --json``.

    Parameters:
        run: all results.
        tally: the counts of its behaviors.
    """
    behaviors = [result for result in run.results if result.item.kind == "behavior"]
    return {
        "format": FORMAT,
        "command": run.subject,
        "seconds": round(run.seconds, 3),
        "asked": tally.asked,
        "ran": tally.ran,
        "absent": tally.absent,
        **{_key(outcome): tally.outcomes[outcome] for outcome in BEHAVIOR_OUTCOMES},
        "cells": [_cell(result) for row in by_behavior(behaviors).values() for result in row.values()],
        "warnings": list(run.warnings),
        "results": [result.to_dict() for result in run.results],
    }


def command_document(run: JobResults) -> dict[str, Any]:
    """Return how a command ended on each version, for ``pgfeatures run --json``."""
    return {"format": FORMAT, "command": run.subject, "results": [result.to_dict() for result in run.results]}


def extension_document(run: JobResults, *, path: str, failed: bool) -> dict[str, Any]:
    """Return the results of an extension's stages, for ``pgfeatures extension --json``.

    Parameters:
        run: all results.
        path: the extension's directory or name, as the user gave it.
        failed: whether the run failed, by the rules that it was given.
    """
    return {
        "format": FORMAT,
        "subject": run.subject,
        "path": path,
        "failed": failed,
        "seconds": round(run.seconds, 3),
        "majors": {
            cell: {
                **(_install(install) or dict.fromkeys(("version", "source", "bindir"))),
                "seconds": round(run.seconds_of(cell), 3),
            }
            for cell, install in run.installs.items()
        },
        "results": [_stage(result) for result in run.results],
        "evidence": [result.to_dict() for result in run.results],
        "warnings": list(run.warnings),
    }


def _cell(result: Result) -> dict[str, Any]:
    return {
        "behavior": result.item.id,
        "title": result.item.title,
        "area": result.item.area,
        "since": result.item.since,
        "backports": list(result.item.backports),
        "cell": result.cell,
        "version": result.major,
        "outcome": result.outcome,
        "expected": result.evidence.expected,
        "observed": result.evidence.observed,
        "conditions": conditions(result.evidence.expected, result.evidence.observed),
        "install": _install(result.install),
        "ran": result.ran,
        "absent": result.absent,
        "reason": result.summary or None,
        "capability": result.capability,
    }


def _stage(result: Result) -> dict[str, Any]:
    location = result.evidence.location
    return {
        "stage": result.item.area,
        "object": result.item.id.removeprefix(result.item.area).lstrip() or None,
        "major": result.cell,
        "outcome": result.outcome,
        "seconds": round(result.seconds, 3),
        "summary": result.summary,
        "tests": [asdict(each) for each in result.tests],
        "details": list(result.evidence.details),
        "compiler_warnings": [line for _, text in result.evidence.sections for line in text.splitlines()],
        "file": location.file if location else None,
        "line": location.line if location else None,
        "capability": result.capability,
        "blocked_by": result.blocked_by,
    }


def _install(install: InstallUsed | None) -> dict[str, str] | None:
    hidden = ("borrowed", "sha256")
    return {name: value for name, value in asdict(install).items() if name not in hidden} if install else None


def _key(outcome: Outcome) -> str:
    return outcome.replace(" ", "_")
