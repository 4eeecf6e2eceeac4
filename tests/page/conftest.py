"""Results with markup in every text that servers and users write, and a real browser."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import CapabilityMissingError
from pytest_pgfeatures.page.jobs import write_run
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import InstallUsed, Item, JobResults, Outcome, Result
from pytest_pgfeatures.results.transcript import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLANTED = "</script><!--<script>window.planted = true</script><img src=x onerror='window.planted = true'>"
INSTALLS = {
    "pg15": InstallUsed("15.4", "pypi", f"/opt/{PLANTED}/bin", sha256="ab" * 32),
    "pg16": InstallUsed("16.4", "maven", "/opt/16/bin"),
}
MERGE_JOIN = """\
Unique
  ->  Sort
        Sort Key: a, b
        ->  Index Scan using t_a on t
"""
SORT = """\
Unique
  ->  Incremental Sort
        Sort Key: a, b
        Presorted Key: a
        ->  Index Scan using t_a on t
"""


def behavior(name: str, area: str, cell: str, outcome: Outcome, *entries: Entry, **evidence: Any) -> Result:
    """A result of a behavior that ran."""
    return Result(
        item=Item("behavior", name, f"the title of {name} {PLANTED}", area, since="16"),
        cell=cell,
        major=cell.removeprefix("pg"),
        outcome=outcome,
        installs=(INSTALLS[cell],),
        ran=True,
        seconds=0.25,
        evidence=Evidence(transcript=entries, **evidence),
    )


RUN = JobResults(
    "pgfeatures verify",
    INSTALLS,
    (
        behavior(
            "16/sorts",
            "performance",
            "pg15",
            Outcome.AS_DOCUMENTED,
            Entry(PLANTED, "EXPLAIN SELECT DISTINCT a, b FROM t", plan=MERGE_JOIN),
            expected="Sort",
            observed="Sort",
        ),
        behavior(
            "16/sorts",
            "performance",
            "pg16",
            Outcome.AS_DOCUMENTED,
            Entry(PLANTED, "EXPLAIN SELECT DISTINCT a, b FROM t", plan=SORT),
            expected="Incremental Sort",
            observed="Incremental Sort",
        ),
        behavior(
            "16/hex",
            "sql",
            "pg15",
            Outcome.AS_DOCUMENTED,
            Entry("main", "CREATE TABLE t (a int)", status="CREATE TABLE"),
            Entry("main", f"SELECT 0x1F -- {PLANTED}", sqlstate="42601", error=PLANTED),
            expected="42601",
            observed="42601",
        ),
        behavior(
            "16/hex",
            "sql",
            "pg16",
            Outcome.DEVIATES,
            Entry("main", "CREATE TABLE t (a int)", status="CREATE TABLE"),
            Entry("main", f"SELECT 0x1F -- {PLANTED}", columns=(PLANTED,), rows=((PLANTED,),), row_count=1),
            expected=31,
            observed=PLANTED,
        ),
        Result(
            item=Item("test", f"test_it.py::test_it[pg16-{PLANTED}]"),
            cell="pg16",
            outcome=Outcome.FAILED,
            installs=(INSTALLS["pg16"],),
            ran=True,
            summary=PLANTED,
            evidence=Evidence(details=(PLANTED,), sections=((f"Server log {PLANTED}", f"LOG:  {PLANTED}"),)),
        ),
    ),
    seconds=1.5,
    warnings=(PLANTED,),
)


@pytest.fixture(scope="session")
def run_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of :data:`RUN`."""
    path = tmp_path_factory.mktemp("page") / "run.html"
    write_run(path, RUN, title=f"a run {PLANTED}")
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium of the system; where there is none that starts, the test is unavailable."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        raise CapabilityMissingError("this needs Chromium and chromedriver", capability="chromium")
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        opened = webdriver.Chrome(options=options, service=Service(driver))
    except WebDriverException as error:
        said = str(error.msg).partition("\n")[0]
        raise CapabilityMissingError(f"{program} does not start: {said}", capability="chromium") from None
    yield opened
    opened.quit()
