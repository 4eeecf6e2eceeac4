"""pytest hooks for behaviors: collect, run and judge them (``report.plugin`` shows what came out).

A behavior is a test function whose return value is judged. What came out of it travels on the test's report,
so that it is the same with pytest-xdist, where reports cross processes.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, cast

import pytest

from pytest_pgfeatures.behaviors.declared import declared_by
from pytest_pgfeatures.errors import (
    BehaviorError,
    CapabilityMissingError,
    InstallError,
    PgFeaturesError,
    ServerError,
)
from pytest_pgfeatures.marker import requirements
from pytest_pgfeatures.report.summary import UNAVAILABLE
from pytest_pgfeatures.session import stations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from pytest_pgfeatures.behaviors.lab import Lab
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.behaviors.result import Judgement, Result
    from pytest_pgfeatures.server import Cluster, Database

ON_REPORT = "pgfeatures_result"
"""The attribute of a test report that has the result, as plain values."""
_judgement = pytest.StashKey["Judgement"]()
ASKED = pytest.StashKey["set[str]"]()
"""The node ids of the behaviors that a session is to run."""


@pytest.fixture
def lab(
    request: pytest.FixtureRequest, pg_database: Database, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> Iterator[Lab]:
    """A fresh database of this version to observe a behavior in; its statements are recorded."""
    from pytest_pgfeatures.behaviors.lab import Lab

    transaction = requirements(request.node).isolation == "transaction"
    with Lab(pg_database, create_pgs, transaction=transaction) as opened:
        yield opened


# --- collecting --------------------------------------------------------------------------------------------


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k`` select a behavior by its id and its area."""
    if found := _behavior_of(item):
        item.extra_keyword_matches.update((found.id, found.area))


def pytest_configure(config: pytest.Config) -> None:
    """Start with nothing asked for."""
    config.stash[ASKED] = set()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Count what is asked for, and see that no id is taken twice."""
    behaviors = {item.nodeid: found for item in session.items if (found := _behavior_of(item))}
    if not behaviors:
        return
    from pytest_pgfeatures.behaviors.registry import by_id

    try:
        by_id(behaviors.values())
    except BehaviorError as error:
        raise pytest.UsageError(str(error)) from None
    session.config.stash[ASKED] = set(behaviors)


def _behavior_of(item: pytest.Item) -> Behavior | None:
    return declared_by(getattr(item, "function", None))


# --- running -----------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call an observing function and judge what it returns."""
    behavior = _behavior_of(pyfuncitem)
    if behavior is None:
        return None
    from pytest_pgfeatures.behaviors.result import Outcome, judge

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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put a behavior's result on its report."""
    report = yield
    behavior = _behavior_of(item)
    unavailable = any(name == UNAVAILABLE for name, _ in report.user_properties)
    at_setup = call.when == "setup" and (report.failed or unavailable)
    if isinstance(item, pytest.Function) and report.failed and (lab := _lab_of(item)) and len(lab.transcript):
        report.sections.append(("Transcript of the lab", lab.transcript.render()))
    if behavior is None or not (call.when == "call" or at_setup):
        return report
    assert isinstance(item, pytest.Function)
    if report.skipped and not unavailable and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{behavior.id} skipped itself; let it declare what it needs, so that it is counted"
    result = _result(behavior, item, call, unavailable=unavailable)
    setattr(report, ON_REPORT, result.to_dict())
    # JUnit takes them from the report of the teardown, which is made of the item's.
    item.user_properties += [("behavior", behavior.id), ("outcome", str(result.outcome))]
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, PgFeaturesError) and report.failed:
        report.longrepr = f"{_where(item, call)}{type(error).__name__}: {error}"
    return report


def _result(
    behavior: Behavior, item: pytest.Function, call: pytest.CallInfo[None], *, unavailable: bool
) -> Result:
    from pytest_pgfeatures.behaviors.model import named
    from pytest_pgfeatures.behaviors.result import InstallUsed, Outcome, Result

    lab = _lab_of(item)
    judgement = item.stash.get(_judgement, None)
    error = call.excinfo.value if call.excinfo else None
    cell = stations_of(item)[0].cell
    outcome = Outcome.UNAVAILABLE if unavailable else Outcome.ERROR
    if judgement is not None:
        outcome = judgement.outcome
    lacks = error.capability if isinstance(error, CapabilityMissingError) else None
    return Result(
        behavior=behavior.id,
        title=behavior.title,
        area=behavior.area,
        since=named(behavior.since) if behavior.since else None,
        cell=cell.id,
        version=cell.major.major,
        outcome=outcome,
        expected=judgement.expected if judgement else behavior.expect_major(cell.major),
        observed=judgement.observed if judgement else None,
        install=InstallUsed.of(lab.cluster.install) if lab else None,
        ran=call.when == "call" and outcome is not Outcome.UNAVAILABLE,
        absent=call.when == "setup" and isinstance(error, InstallError | ServerError) and lacks is None,
        reason=None if judgement else _reason(error, behavior),
        capability=lacks,
        transcript=tuple(lab.transcript) if lab else (),
    )


def _reason(error: BaseException | None, behavior: Behavior) -> str:
    if isinstance(error, PgFeaturesError):
        return error.problem.removeprefix(f"{behavior.id}: ")
    if isinstance(error, pytest.skip.Exception):
        return "it skipped itself instead of declaring what it needs"
    return f"{type(error).__name__}: {error}"


def _lab_of(item: pytest.Function) -> Lab | None:
    """The lab a behavior was given; None if it could not be set up."""
    return cast("Lab | None", item.funcargs.get("lab"))


def _where(item: pytest.Item, call: pytest.CallInfo[None]) -> str:
    """``FILE:LINE: `` of the last line in the behavior's own file that led to the error."""
    assert call.excinfo
    lines = [entry for entry in call.excinfo.traceback if entry.path == item.path]
    return f"{item.path}:{lines[-1].lineno + 1}: " if lines else ""
