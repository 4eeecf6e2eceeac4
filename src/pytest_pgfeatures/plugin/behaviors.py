"""Collect, run and judge behaviors as tests.

A behavior is a test function whose return value is judged. The test's report carries the result, so that it also
works with pytest-xdist, where reports cross processes.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import (
    BehaviorError,
    CapabilityMissingError,
    InstallError,
    PgFeaturesError,
    ServerError,
)
from pytest_pgfeatures.json_values import to_json
from pytest_pgfeatures.plugin.decorated import behavior_of
from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.properties import RESULT, is_unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.behaviors.judge import Judgement
    from pytest_pgfeatures.behaviors.lab import Lab
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.results.model import Result

_judgement = pytest.StashKey["Judgement"]()
_TRANSCRIPT = "Transcript of the lab"
ASKED = pytest.StashKey["set[str]"]()
"""The node ids of the requested behaviors of a session."""


# --- collecting --------------------------------------------------------------------------------------------


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k`` select a behavior by its id and its area. ``[ID]`` selects only this one, not those whose ids have
    more after it."""
    if found := behavior_of_test(item):
        item.extra_keyword_matches.update((found.id, f"[{found.id}]", found.area))


def pytest_configure(config: pytest.Config) -> None:
    """Start with no requested behaviors."""
    config.stash[ASKED] = set()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Record the requested behaviors. Two behaviors with the same id are an error."""
    behaviors = {item.nodeid: found for item in session.items if (found := behavior_of_test(item))}
    if not behaviors:
        return
    from pytest_pgfeatures.behaviors.registry import by_id

    try:
        by_id(behaviors.values())
    except BehaviorError as error:
        raise pytest.UsageError(str(error)) from None
    session.config.stash[ASKED] = set(behaviors)


def behavior_of_test(item: pytest.Item) -> Behavior | None:
    """Return the behavior that a test represents; None for other tests."""
    return behavior_of(getattr(item, "function", None))


# --- running -----------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a behavior's function and judge its return value."""
    behavior = behavior_of_test(pyfuncitem)
    if behavior is None:
        return None
    from pytest_pgfeatures.behaviors.judge import judge
    from pytest_pgfeatures.results.model import Outcome

    wanted = inspect.signature(pyfuncitem.obj).parameters
    returned = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted})
    lab = _lab_of(pyfuncitem)
    assert lab is not None
    judgement, what = judge(behavior, lab.version, returned), behavior.title
    if behavior.remedied is not None and judgement.outcome is Outcome.AS_DOCUMENTED:
        lab.remark("what to write instead")
        remedied = judge(behavior.remedied, lab.version, behavior.remedied.observe(lab))
        if remedied.outcome is Outcome.DEVIATES:
            judgement, what = remedied, f"its remedy: {behavior.remedy}"
    pyfuncitem.stash[_judgement] = judgement
    if judgement.outcome is Outcome.DEVIATES:
        pytest.fail(_deviation(behavior, what, judgement, lab), pytrace=False)
    return True


def _deviation(behavior: Behavior, what: str, judgement: Judgement, lab: Lab) -> str:
    from pytest_pgfeatures.report.values import shown

    facts = {
        "expected": shown(judgement.expected),
        "observed": shown(judgement.observed),
        "on": str(lab.cluster.install),
        "source": behavior.source,
        "note": behavior.note,
        "declared": behavior.defined_at,
    }
    width = max(map(len, facts))
    lines = [f"{name:>{width}}  {text}" for name, text in facts.items() if text]
    return "\n".join((f"{behavior.id} deviates: {what}", *lines))


def transcript_section(item: pytest.Item) -> Iterator[tuple[str, str]]:
    """Yield the transcript of the test's lab as a title and a text; nothing if the test has no lab."""
    if (lab := _lab_of(item)) is not None and len(lab.transcript):
        yield _TRANSCRIPT, lab.transcript.render()


def report_behavior(
    behavior: Behavior, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
) -> None:
    """Attach a behavior's result to the report that has its outcome."""
    unavailable = is_unavailable(report)
    if not (call.when == "call" or (call.when == "setup" and (report.failed or unavailable))):
        return
    if report.skipped and not unavailable and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{behavior.id} skipped itself; let it declare what it needs, so that it is counted"
    result = _result(behavior, item, call, unavailable=unavailable)
    if report.failed:
        logs = tuple(section for section in report.sections if section[0] != _TRANSCRIPT)
        result = replace(result, evidence=replace(result.evidence, sections=logs))
    setattr(report, RESULT, to_json(result))
    # JUnit takes them from the teardown's report, which copies the item's properties
    item.user_properties += [("behavior", behavior.id), ("outcome", str(result.outcome))]
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, PgFeaturesError) and report.failed:
        report.longrepr = f"{_where(item, call)}{type(error).__name__}: {error}"


def _result(
    behavior: Behavior, item: pytest.Item, call: pytest.CallInfo[None], *, unavailable: bool
) -> Result:
    from pytest_pgfeatures.results.evidence import Evidence
    from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result

    lab = _lab_of(item)
    judgement = item.stash.get(_judgement, None)
    error = call.excinfo.value if call.excinfo else None
    cell = specs_of(item)[0].cell
    outcome = Outcome.UNAVAILABLE if unavailable else Outcome.ERROR
    if judgement is not None:
        outcome = judgement.outcome
    lacks = error.capability if isinstance(error, CapabilityMissingError) else None
    since = str(behavior.since) if behavior.since else None
    return Result(
        item=Item(
            "behavior", behavior.id, behavior.title, behavior.area, since, tuple(map(str, behavior.backports))
        ),
        cell=cell.id,
        major=str(cell.major),
        outcome=outcome,
        installs=(InstallUsed.of(lab.cluster.install),) if lab else (),
        ran=call.when == "call" and outcome is not Outcome.UNAVAILABLE,
        absent=call.when == "setup" and isinstance(error, InstallError | ServerError) and lacks is None,
        seconds=call.duration,
        summary="" if judgement else _reason(error, behavior),
        capability=lacks,
        evidence=Evidence(
            expected=judgement.expected if judgement else behavior.expect(cell.major),
            observed=judgement.observed if judgement else None,
            transcript=tuple(lab.transcript) if lab else (),
        ),
    )


def _reason(error: BaseException | None, behavior: Behavior) -> str:
    if isinstance(error, PgFeaturesError):
        return error.problem.removeprefix(f"{behavior.id}: ")
    if isinstance(error, pytest.skip.Exception):
        return "it skipped itself instead of declaring what it needs"
    return f"{type(error).__name__}: {error}"


def _lab_of(item: pytest.Item) -> Lab | None:
    """Return the test's lab; None if it did not ask for one, or its setup failed."""
    home = sys.modules.get("pytest_pgfeatures.behaviors.lab")
    found = getattr(item, "funcargs", {}).get("lab")
    return found if home is not None and isinstance(found, home.Lab) else None


def _where(item: pytest.Item, call: pytest.CallInfo[None]) -> str:
    """``FILE:LINE: `` of the last line of the traceback that is in the behavior's own file."""
    assert call.excinfo
    lines = [entry for entry in call.excinfo.traceback if entry.path == item.path]
    return f"{item.path}:{lines[-1].lineno + 1}: " if lines else ""
