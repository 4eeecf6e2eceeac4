"""The page in a real browser."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures import Figure
from pytest_pgfeatures.measure.interval import Interval
from pytest_pgfeatures.measure.outcome import ClaimVerdict, Measured, PointMeasured, Ratio
from pytest_pgfeatures.page.experiments import write_experiments
from pytest_pgfeatures.page.jobs import write_delta

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60
"""The deadline of each wait."""


@pytest.fixture
def page(browser: Any, run_page: Path) -> Any:
    """The page of a run, opened afresh. In the end, nothing must have been said on the console."""
    show(browser, run_page)
    yield browser
    assert browser.get_log("browser") == []
    assert browser.execute_script("return window.planted") is None


def show(browser: Any, path: Path, fragment: str = "") -> None:
    browser.get("about:blank")
    browser.get(f"{path.as_uri()}{fragment}")


def wait(browser: Any, condition: str) -> None:
    """Wait until an expression of JavaScript is true."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, SECONDS).until(lambda _: browser.execute_script(f"return {condition}"))


def rows(browser: Any) -> list[str]:
    """The names of the rows that are shown."""
    found = browser.execute_script(
        "return [...document.querySelectorAll('th[scope=row]')].filter((row) => row.checkVisibility())"
        ".map((row) => row.firstChild.textContent)"
    )
    return [str(name) for name in found]


def wait_for_rows(browser: Any, *names: str) -> None:
    """Wait until these rows are shown, and no others."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, SECONDS).until(lambda _: rows(browser) == list(names), f"shown: {rows(browser)}")


def control(browser: Any, name: str) -> Any:
    from selenium.webdriver.common.by import By

    return browser.find_element(By.NAME, name)


def select(browser: Any, name: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(control(browser, name)).select_by_value(value)


def press(browser: Any, *keys: str) -> None:
    """Press keys, wherever the focus is."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def test_filters_and_the_link_that_keeps_them(page: Any) -> None:
    assert len(rows(page)) == 3
    select(page, "area", "sql")
    wait_for_rows(page, "16/hex")
    select(page, "area", "")
    select(page, "outcome", "as before the change")
    wait_for_rows(page, "16/sorts", "16/hex")
    select(page, "outcome", "")
    control(page, "text").send_keys("EXPLAIN select")
    wait_for_rows(page, "16/sorts")
    assert "text=EXPLAIN+select" in page.current_url
    wait(page, "document.getElementById('matrix-shown').textContent === '1 of 3 rows'")
    page.refresh()
    wait(page, "document.getElementById('matrix-shown')?.textContent === '1 of 3 rows'")
    assert control(page, "text").get_attribute("value") == "EXPLAIN select"


def test_a_cell_opens_and_closes_by_keys_and_the_focus_comes_back(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    page.execute_script("document.querySelector('td button[tabindex=\"0\"]').focus()")
    press(page, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
    wait(page, "document.querySelector('dialog').open")
    dialog = page.find_element("tag name", "dialog")
    assert "16/hex on 16" in dialog.text
    assert "deviates" in dialog.text
    assert "42601 syntax_error" in dialog.text  # what 15 answered, beside it
    assert "row=16%2Fhex&cell=pg16" in page.current_url
    press(page, Keys.ESCAPE)
    wait(page, "!document.querySelector('dialog').open")
    focused = page.switch_to.active_element
    assert focused.get_attribute("aria-label") == "deviates"


def test_a_deep_link_opens_the_evidence(page: Any, run_page: Path) -> None:
    show(page, run_page, "#area=performance&row=16/sorts&cell=pg16")
    wait(page, "document.querySelector('dialog').open")
    text = page.find_element("tag name", "dialog").text
    assert "The plan: 15 to 16" in text
    assert "Presorted Key: a" in text
    assert "run it again" in text
    page.find_element("css selector", "[aria-label='previous version 15']").click()
    wait(page, "document.querySelector('dialog h2').textContent === '16/sorts on 15'")
    assert page.switch_to.active_element.text == "Close"  # 15 is the first
    page.find_element("css selector", "[aria-label='next version 16']").click()
    assert page.execute_script(
        "return document.querySelectorAll('.plan-diff tr.changed, .plan-diff tr.new').length"
    )
    assert control(page, "area").get_attribute("value") == "performance"


def test_a_link_to_a_cell_that_is_not_there_shows_the_table(page: Any, run_page: Path) -> None:
    show(page, run_page, "#row=99/nothing&cell=pg99&area=none")
    assert page.execute_script("return document.querySelector('dialog').open") is False


def test_logs_and_errors_of_a_test(page: Any, run_page: Path) -> None:
    control(page, "text").send_keys("test_it")
    page.find_element("css selector", "tr:not([hidden]) td button.failed").click()
    wait(page, "document.querySelector('dialog').open")
    text = page.find_element("tag name", "dialog").text
    assert "Server log </script>" in text
    assert "LOG:  </script>" in text


def test_the_table_is_one_for_screen_readers(page: Any) -> None:
    tree = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {
        (node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]
    }
    assert {("columnheader", "15 15.4"), ("rowgroup", "")} <= {(role, name) for role, name in named} | {
        ("rowgroup", "")
    }
    assert ("button", "deviates") in named
    assert any(role == "rowheader" and name.startswith("16/hex") for role, name in named)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(page: Any, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    color = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    red = int(color.removeprefix("rgb(").partition(",")[0])
    assert (red > 200) == (scheme == "light")


@pytest.mark.parametrize("width", [480, 1024, 1600])
def test_no_page_is_wider_than_the_window(page: Any, run_page: Path, tmp_path: Path, width: int) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    from pytest_pgfeatures.behaviors.delta import delta
    from pytest_pgfeatures.behaviors.registry import atlas
    from pytest_pgfeatures.version import PgMajor

    old, new = PgMajor("17"), PgMajor("18")
    write_delta(tmp_path / "delta.html", old, new, delta(old, new, atlas().values()))
    for path in (run_page, tmp_path / "delta.html"):
        show(page, path)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_names_stay_in_view_on_a_phone(page: Any) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        wait(page, "document.querySelector('.matrix').offsetWidth > 0")
        page.execute_script(
            "document.querySelectorAll('.matrix td').forEach((each) => { each.style.minWidth = '400px'; });"
            "document.getElementById('matrix-scrolls').scrollLeft = 400"
        )
        left = "Math.round(document.querySelector('{}').getBoundingClientRect().left)"
        for name in (".matrix th[scope=row]", ".matrix thead th"):
            wait(page, f"{left.format(name)} === {left.format('#matrix-scrolls')} + 1")  # its border
        caption = "document.querySelector('.matrix caption span').getBoundingClientRect()"
        assert page.execute_script(f"return {caption}.right <= window.innerWidth && {caption}.left >= 0")
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_changes_are_cards_on_a_phone(page: Any, tmp_path: Path) -> None:
    from pytest_pgfeatures.behaviors.delta import delta
    from pytest_pgfeatures.behaviors.registry import atlas
    from pytest_pgfeatures.version import PgMajor

    old, new = PgMajor("17"), PgMajor("18")
    write_delta(tmp_path / "delta.html", old, new, delta(old, new, atlas().values()))
    metrics = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    show(page, tmp_path / "delta.html")
    cells = "[...document.querySelectorAll('.changes td')]"
    beyond = f"return {cells}.filter(cell => cell.getBoundingClientRect().right > 390).length"
    assert page.execute_script(beyond) == 0
    said = "return getComputedStyle(document.querySelector('.changes td[data-on]'), '::before').content"
    assert "17" in page.execute_script(said)
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def shown(browser: Any, list_: str, entry: str) -> list[str]:
    """The ids of the entries of a list that are shown."""
    found = browser.execute_script(
        f"return [...document.querySelectorAll('#{list_} {entry}')].filter((each) => each.checkVisibility())"
        ".map((each) => each.id)"
    )
    return [str(id) for id in found]


def test_changes_are_filtered_by_area_and_kind_and_the_link_keeps_it(browser: Any, tmp_path: Path) -> None:
    from pytest_pgfeatures.behaviors.delta import Group, delta
    from pytest_pgfeatures.behaviors.registry import atlas
    from pytest_pgfeatures.version import PgMajor

    old, new = PgMajor("17"), PgMajor("18")
    changes = delta(old, new, atlas().values())
    path = tmp_path / "delta.html"
    write_delta(path, old, new, changes)

    def ids(area: str | None = None, group: Group | None = None) -> set[str]:
        return {
            f"change-{each.behavior.id.replace('/', '-')}"
            for each in changes
            if area in (None, each.behavior.area) and group in (None, each.group)
        }

    show(browser, path)
    assert set(shown(browser, "changes", "tbody tr")) == ids()
    select(browser, "area", "settings")
    assert set(shown(browser, "changes", "tbody tr")) == ids("settings") < ids()
    select(browser, "kind", "Changed defaults")
    assert set(shown(browser, "changes", "tbody tr")) == ids("settings", Group.DEFAULT) < ids("settings")
    kept = str(browser.execute_script("return location.hash"))
    show(browser, path, kept)
    assert set(shown(browser, "changes", "tbody tr")) == ids("settings", Group.DEFAULT)
    assert browser.execute_script("return document.querySelector('.changes thead').innerText").count(
        "17 → 18"
    )
    assert browser.get_log("browser") == []


def test_findings_of_one_cause_are_one_card_and_each_has_a_link(browser: Any, tmp_path: Path) -> None:
    from pytest_pgfeatures.page.jobs import write_readiness
    from pytest_pgfeatures.readiness.model import Finding, Place, StageReport
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import Readiness, StageRun
    from pytest_pgfeatures.report.readiness_document import ReadinessAsked

    def finding(file: str, line: int, message: str, stage: Any = "queries") -> Finding:
        return Finding(stage, "error", "affects", message, "write it otherwise", place=Place(file, line))

    many = [finding(f"{'ab'[number % 2]}.sql", number + 1, "many") for number in range(300)]
    found = (*many, finding("a.sql", 400, "once", "schema"))
    run = StageRun("queries", "17-18", ("17.1", "18.1"), StageReport("queries", found))
    path = tmp_path / "found.html"
    options = ReadinessOptions("17", "18", queries=("a.sql", "b.sql"))
    write_readiness(path, Readiness(found, runs=(run,)), ReadinessAsked.by(options, (run,)))
    show(browser, path)
    assert len(shown(browser, "findings", "article")) == 2
    assert len(shown(browser, "findings", ".place")) == 4  # three of the many; the rest is folded
    select(browser, "stage", "schema")
    assert len(shown(browser, "findings", "article")) == 1
    select(browser, "stage", "")
    select(browser, "file", "b.sql")
    places = shown(browser, "findings", ".place")
    assert len(places) == len(set(places)) == 150
    show(browser, path, f"#{places[-1]}")
    assert places[-1] in shown(browser, "findings", ".place")  # the folded ones were opened for it
    head = "return document.querySelector('#matrix-head th:last-child').firstChild.textContent"
    assert browser.execute_script(head) == "17 → 18"
    assert browser.get_log("browser") == []


def test_print_shows_the_evidence_of_what_deviates(page: Any) -> None:
    page.execute_script("document.body.append(document.createElement('details'))")
    page.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert page.execute_script("return document.querySelectorAll('details[open]').length") == 1
    feature = {"name": "prefers-color-scheme", "value": "dark"}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [feature]})
    good = page.execute_script("return getComputedStyle(document.documentElement).getPropertyValue('--good')")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert good.strip() == "#1a7f37"  # what is dark on white paper
    page.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert page.execute_script("return document.querySelectorAll('details[open]').length") == 0
    text = page.execute_script("return document.getElementById('matrix-print').textContent")
    assert "16/hex on 16" in text
    assert "16/hex on 15" not in text


def test_a_browser_that_can_t_run_the_script_says_so(browser: Any, run_page: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, run_page)
        said = browser.find_element("id", "matrix-too-old")
        assert said.is_displayed()
        assert "Chrome 99" in said.text
        assert not browser.find_element("id", "matrix-filters").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_browser_without_dialogs_says_so(browser: Any, run_page: Path) -> None:
    without = {"source": "delete HTMLDialogElement.prototype.showModal"}
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", without)
    try:
        show(browser, run_page)
        assert browser.find_element("id", "matrix-too-old").is_displayed()
        assert rows(browser) == []
        assert browser.get_log("browser") == []
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_a_plot_of_an_experiment_is_dark_on_a_dark_page(browser: Any, tmp_path: Path) -> None:
    from PIL import Image

    interval = Interval(0.5, 0.4, 0.6, 5)
    ratio = Ratio("time", "s", "b", 1.0, 0.5, interval, Figure(ratio=0.5), ClaimVerdict.AS_DOCUMENTED)
    point = PointMeasured({}, comparisons=(ratio,))
    measured = Measured(
        "ours/one", "a claim", "", "", {"a": "a", "b": "b"}, {"a": "18.6 (pypi)"}, "quick", (point,)
    )
    measured = replace(measured, bindirs={"a": "/nowhere"})
    write_experiments(tmp_path / "page.html", [measured], command="pgfeatures measure")
    corners = {}
    try:
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            show(browser, tmp_path / "page.html")
            wait(browser, "document.querySelector('figure img').complete")
            picture = browser.find_element("css selector", "figure img").screenshot_as_png
            corners[scheme] = Image.open(io.BytesIO(picture)).convert("RGB").getpixel((4, 4))
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert min(corners["light"]) > 240
    assert max(corners["dark"]) < 40
