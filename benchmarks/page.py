"""The size of a page of results, and the time in which Chromium opens it.

    pgfeatures verify --pg 14..18 --json all.json
    python -m benchmarks.page all.json --versions 14

The results are shown as they are, and then for more versions: each added version repeats the answers of one
that ran, in turn.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from pytest_pgfeatures.page.jobs import write_run
from pytest_pgfeatures.report.merging import merged, read_documents
from pytest_pgfeatures.results.model import JobResults, installs_of
from pytest_pgfeatures.version import MAJORS

if TYPE_CHECKING:
    from collections.abc import Sequence

MEGABYTES = 5.0
SECONDS = 2.0
"""The targets: for the atlas on five majors, and for 600 behaviors on 14 versions."""


def spread(run: JobResults, versions: int) -> JobResults:
    """Return the results on this many versions, some of which repeat others."""
    cells = list(run.installs)
    names = [f"pg{major}" for major in MAJORS][-versions:]
    results = [
        replace(result, cell=name, major=name.removeprefix("pg"))
        for name, cell in zip(names, itertools.cycle(cells), strict=False)
        for result in run.of_cell(cell)
    ]
    return JobResults(run.subject, installs_of(results), tuple(results), run.seconds)


def opened(path: Path, times: int = 5) -> list[float]:
    """Return the seconds from the start of loading until the page is drawn and takes input, each in a fresh tab."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        return [_opened(driver, path) for _ in range(times)]
    finally:
        driver.quit()


def _opened(driver: object, path: Path) -> float:
    from selenium.webdriver.chrome.webdriver import WebDriver

    assert isinstance(driver, WebDriver)
    driver.get("about:blank")
    driver.get(path.as_uri())
    milliseconds = driver.execute_async_script(
        "const done = arguments[0];requestAnimationFrame(() => setTimeout(() => done(performance.now())));"
    )
    timing = "const [entry] = performance.getEntriesByType('navigation'); return entry.loadEventEnd"
    return max(float(driver.execute_script(timing)), 0.0) / 1000 or float(milliseconds) / 1000


def measured(name: str, run: JobResults, place: Path, table: Table) -> None:
    """Write a page, open it, and add a line to the table."""
    path = place / "page.html"
    started = time.perf_counter()
    write_run(path, run, title=name)
    written = time.perf_counter() - started
    seconds = sorted(opened(path))
    rows = len({result.item.id for result in run.results})
    table.add_row(
        f"{rows} × {len(run.installs)}",
        f"{path.stat().st_size / 1e6:.2f}",
        f"{written:.2f}",
        f"{seconds[len(seconds) // 2]:.2f}",
        f"{seconds[-1]:.2f}",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="a file of pgfeatures verify --json")
    parser.add_argument("--versions", type=int, default=14)
    given = parser.parse_args(arguments)
    run, _ = merged(read_documents([given.results]))
    table = Table("rows × versions", "MB", "written in s", "opened in s", "at most", box=None)
    with tempfile.TemporaryDirectory() as place:
        measured("as it ran", run, Path(place), table)
        measured("spread", spread(run, given.versions), Path(place), table)
    Console().print(table)
    print(f"targets: {MEGABYTES:g} MB on five majors, opened in {SECONDS:g} s on 14 versions")


if __name__ == "__main__":
    main()
