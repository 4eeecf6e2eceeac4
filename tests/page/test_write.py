"""The file: complete in itself, and nothing that servers or users wrote becomes part of its markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from markupsafe import Markup

from pytest_pgfeatures.behaviors.delta import delta
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.page.jobs import write_delta, write_readiness
from pytest_pgfeatures.page.rerun import rerun_command
from pytest_pgfeatures.page.write import Section, write_page
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, Place, SideBySide, StageReport
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.run import Readiness, StageRun
from pytest_pgfeatures.report.delta import sides_shown
from pytest_pgfeatures.report.readiness_document import ReadinessAsked
from pytest_pgfeatures.results.model import InstallUsed, Item, JobResults, Outcome, Result, installs_of
from pytest_pgfeatures.version import PgMajor

from .conftest import PLANTED

if TYPE_CHECKING:
    from pathlib import Path


class Elements(HTMLParser):
    """The elements of a page, with the content of each script."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.names.add(tag)
        self.attributes += attrs
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Keep a script's content, and the text."""
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data


def data_of(elements: Elements) -> Any:
    return json.loads(elements.scripts[0])


def test_markup_in_results_stays_text(run_page: Path) -> None:
    elements = Elements(run_page)
    data, script = elements.scripts
    assert "img" not in elements.names
    assert "planted" not in script
    assert json.loads(data)["texts"].count(PLANTED) == 1
    assert f"a run {PLANTED}" in elements.text


def test_only_the_page_s_own_script_may_run(run_page: Path) -> None:
    elements = Elements(run_page)
    allowed = next(
        value for name, value in elements.attributes if name == "content" and value and "sha256" in value
    )
    ours = base64.b64encode(hashlib.sha256(elements.scripts[-1].encode()).digest()).decode()
    assert f"script-src 'sha256-{ours}'" in allowed
    assert "default-src 'none'" in allowed


def test_a_page_needs_no_other_file(run_page: Path) -> None:
    elements = Elements(run_page)
    assert not {"link", "iframe", "object"} & elements.names
    assert not [value for name, value in elements.attributes if name in ("src", "srcset")]
    assert "url(" not in re.sub(r"<script.*?</script>", "", run_page.read_text(), flags=re.DOTALL)


def test_equal_answers_are_there_once_and_different_ones_side_by_side(run_page: Path) -> None:
    data = data_of(Elements(run_page))
    (row,) = [row for row in data["rows"] if row["id"] == "16/hex"]
    created, asked = row["steps"]
    assert [columns for columns, _ in created["answers"]] == [[0, 1]]
    assert [columns for columns, _ in asked["answers"]] == [[0], [1]]


def test_plans_that_differ_are_compared_as_trees(run_page: Path) -> None:
    data = data_of(Elements(run_page))
    (row,) = [row for row in data["rows"] if row["id"] == "16/sorts"]
    (difference,) = row["steps"][0]["plans"]
    assert difference["columns"] == [0, 1]
    assert any("Incremental Sort" in data["texts"][change] for change in difference["changes"])


def test_the_commands_that_run_a_cell_again(run_page: Path) -> None:
    data = data_of(Elements(run_page))
    again = [data["texts"][cell["again"]] for row in data["rows"] for cell in row["cells"] if cell]
    assert "pgfeatures verify --pg 15 -k 16/hex" in again
    assert any(command.startswith("pytest --pg 16 'test_it.py::test_it[pg16-<") for command in again)


def test_an_extension_s_upgrade_is_run_again_with_the_later_majors() -> None:
    item = Item("stage", "upgrade", area="upgrade")
    results = [
        Result(item=item, cell=cell, outcome=Outcome.PASSED, installs=(InstallUsed(version, "pypi", "/b"),))
        for cell, version in (("pg9.6", "9.6.24"), ("pg15", "15.4"), ("pg18", "18.1"))
    ]
    run = JobResults("my ext", installs_of(results), tuple(results), 1.0)
    assert [rerun_command(result, run) for result in results] == [
        "pgfeatures extension 'my ext' --pg 9.6,15,18 --stage upgrade",
        "pgfeatures extension 'my ext' --pg 15,18 --stage upgrade",
        "pgfeatures extension 'my ext' --pg 18 --stage upgrade",
    ]


def test_a_test_s_row_has_its_name_without_the_version(run_page: Path) -> None:
    data = data_of(Elements(run_page))
    assert f"test_it.py::test_it[{PLANTED}]" in [row["id"] for row in data["rows"]]


def test_the_checksum_of_an_install_s_archive(run_page: Path) -> None:
    data = data_of(Elements(run_page))
    assert [install["sha256"] for install in data["installs"]] == ["ab" * 32, ""]


def test_readiness(tmp_path: Path) -> None:
    finding = Finding(
        "queries",
        "error",
        "affects",
        f"refused {PLANTED}",
        f"write {PLANTED}",
        items=("15.3",),
        place=Place(f"{PLANTED}.sql", 3),
        excerpt=f"SELECT {PLANTED}",
        proof=f"pgfeatures bisect {PLANTED}",
        comparison=SideBySide(
            "plans",
            ("14.1", "18.1"),
            ((f"Sort {PLANTED}", "|", f"Incremental Sort {PLANTED}"),),
            (("estimated cost", "12.50", "8.25"),),
            (f"strategy: {PLANTED}",),
            (("Incremental Sort, since 13", "13/order-by-incremental-sort"),),
        ),
    )
    missed = NotLookedAt(PLANTED, "no server")
    report = StageReport("queries", (finding,), not_looked_at=(missed,))
    installs = (("pypi", "/opt/14/bin"), ("path", f"/opt/{PLANTED}/bin"))
    run = StageRun("queries", "14-18", ("14.1", "18.1"), report, installs=installs)
    path = tmp_path / "found.html"
    options = ReadinessOptions(
        "14",
        "18",
        queries=("a.sql", "b.sql"),
        database="host=h password=xyzzy42",
        direct=True,
        stages=("queries",),
    )
    write_readiness(path, Readiness((finding,), runs=(run,)), ReadinessAsked.by(options, (run,)))
    elements = Elements(path)
    assert "img" not in elements.names
    assert len(elements.scripts) == 2
    for said in (
        f"SELECT {PLANTED}",
        f"What to do: write {PLANTED}",
        f"{PLANTED}.sql:3:1",
        f"{PLANTED}: no server",
        f"Incremental Sort {PLANTED}",
        f"strategy: {PLANTED}",
        "12.50",
        "pgfeatures show 13/order-by-incremental-sort",
    ):
        assert said in elements.text
    data = data_of(elements)
    assert data["columns"][0]["cell"] == "14-18"
    assert [(install["version"], install["source"]) for install in data["installs"]] == [
        ("14.1", "pypi"),
        ("18.1", "path"),
    ]
    (row,) = data["rows"]
    assert data["texts"][row["cells"][0]["again"]] == (
        "pgfeatures readiness --from 14 --to 18 --direct --queries a.sql b.sql"
        " --database 'host=h password=********' --stage queries"
    )
    assert "xyzzy42" not in path.read_text()


def test_delta(tmp_path: Path) -> None:
    old, new = PgMajor("15"), PgMajor("16")
    path = tmp_path / "delta.html"
    write_delta(path, old, new, delta(old, new, atlas().values()))
    text = Elements(path).text
    assert "Incompatibilities" in text
    assert "16/vacuum-defer-cleanup-age" in text


def test_yes_and_no_tell_whether_the_title_holds() -> None:
    def sides(id: str, old: str, new: str) -> tuple[str, str]:
        (change,) = delta(PgMajor(old), PgMajor(new), [atlas()[id]])
        return sides_shown(change)

    assert sides("18/inherited-not-null", "17", "18") == ("no error", "42P16 invalid_table_definition")
    assert sides("12/trigger-definition", "11", "12") == ("no", "yes")  # before: True, after: False
    assert sides("18/index-searches", "17", "18") == ("no", "yes")  # before: False, after: True
    assert sides("18/statements-with-lists", "17", "18") == ("2", "1")


def test_what_servers_answered_is_one_link_away(tmp_path: Path) -> None:
    old, new = PgMajor("15"), PgMajor("16")
    path = tmp_path / "delta.html"
    changes = delta(old, new, [atlas()["16/aclitem-upgrade"]])
    item = Item("behavior", "16/aclitem-upgrade", "a title", "upgrade", since="16")
    results = tuple(
        Result(item=item, cell=cell, outcome=Outcome.AS_DOCUMENTED, major=cell[2:], ran=True)
        for cell in ("pg15", "pg16")
    )
    write_delta(path, old, new, changes, JobResults("pgfeatures delta 15 16 --verify", {}, results))
    assert 'href="#row=16%2Faclitem-upgrade&amp;cell=pg16"' in path.read_text()


def test_what_an_upgrade_refuses_comes_first(tmp_path: Path) -> None:
    old, new = PgMajor("13"), PgMajor("14")
    path = tmp_path / "delta.html"
    write_delta(path, old, new, delta(old, new, atlas().values()))
    text = Elements(path).text
    assert text.index("14/factorial-operator") < text.index("14/extract-type")
    assert text.index("14/language-name-quoted") < text.index("14/toast-table-reltype")
    assert text.index("14/factorial-operator") < text.index(
        "14/pg-stat-ssl-compression"
    )  # a refused operator, a column
    assert 'href="https://www.postgresql.org/docs/14/' in path.read_text()


def test_sections_of_others_need_no_script(tmp_path: Path) -> None:
    path = tmp_path / "new" / "plots.html"
    section = Section("plots", "Plots <1>", Markup("<svg><title>a</title></svg>"))
    write_page(path, "Experiments", [section], counts=[("ran", 2)], facts=[("scale", "<quick>")])
    elements = Elements(path)
    assert "svg" in elements.names
    assert "Plots <1>" in elements.text
    assert "<quick>" in elements.text
    assert len(elements.scripts) == 1


def test_a_page_that_can_t_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")
    with pytest.raises(TypeError):
        write_page(path, "a", [Section("a", "a", Markup(), object())])
    assert path.read_text() == "before"
    assert [found.name for found in tmp_path.iterdir()] == ["page.html"]
