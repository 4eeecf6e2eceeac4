"""Tells which packages to install when a suite runs without pytest-postgresql or pytest-asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pytest_pgfeatures.errors import PgFeaturesError

_FIXTURES = frozenset({"postgresql", "postgresql_async", "postgresql_noproc", "postgresql_proc"})
"""The packages of pytest-postgresql itself; a suite's module names its own."""


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, object, object]:
    """Say what to install if a ``conftest.py`` can't be imported, instead of showing the traceback."""
    try:
        return (yield)
    except Exception as error:
        if (what := _missing(error)) is not None:
            raise pytest.UsageError(str(what)) from None
        raise


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Say what to install if a test module can't be imported."""
    report = yield
    call = getattr(report, "call", None)
    if report.failed and call is not None and call.excinfo is not None:
        report.sections.extend(missing_extra(call.excinfo.value))
    return report


def missing_extra(error: BaseException | None) -> Iterator[tuple[str, str]]:
    """Yield a report section if one of our extras would have prevented the error."""
    if (what := _missing(error)) is not None:
        yield "Missing packages", str(what)


def _missing(error: BaseException | None) -> PgFeaturesError | None:
    from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError

    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name == "pytest_postgresql":
            return ExtraMissingError("this suite", "pytest-postgresql", "postgresql")
        name = getattr(error, "argname", None)
        if isinstance(error, pytest.FixtureLookupError) and name == "pg_async_connection":
            return PgFeaturesError(
                "the fixture pg_async_connection needs pytest-asyncio", remedy="pip install pytest-asyncio"
            )
        if isinstance(error, pytest.FixtureLookupError) and name in _FIXTURES:
            return ExtraMissingError(f"the fixture {name}", "pytest-postgresql", "postgresql")
        error = error.__cause__ or getattr(error, "cause", None)
    return None
