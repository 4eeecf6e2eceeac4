"""A dump that is checked runs no program, writes no file and gets no rights, whatever is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from torture.attacks import ATTACK, QUERIES, SCHEMA, SECRET

from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.processes


def hostile(
    tmp_path: Path, reachable_path: Path, pair: tuple[str, str], *, trust: bool
) -> tuple[list[str], list[str]]:
    """The files that the attacks left, and what was told."""
    directory = reachable_path / "reached"
    directory.mkdir()
    (reachable_path / "reached.secret").write_text(f"{SECRET}\n")
    directory.chmod(0o777)
    for name, text in (("schema.sql", ATTACK + SCHEMA), ("queries.sql", QUERIES)):
        if trust:  # else nobody can connect any more
            text = "\n".join(line for line in text.splitlines() if "session_preload_libraries" not in line)
        (tmp_path / name).write_text(text.replace("DIRECTORY", str(directory)))
    found = readiness(
        old=pair[0],
        new=pair[1],
        schema=[tmp_path / "schema.sql"],
        queries=[tmp_path / "queries.sql"],
        trust=trust,
    )
    return sorted(each.name for each in directory.iterdir()), list(found.problems)


@pytest.mark.pg(matrix=False)
@pytest.mark.parametrize("pair", [("9.6", "14"), ("14", "18")], ids="-".join)
def test_a_hostile_schema_reaches_nothing_outside_of_its_database(
    pair: tuple[str, str], tmp_path: Path, reachable_path: Path
) -> None:
    reached, told = hostile(tmp_path, reachable_path, pair, trust=False)
    assert reached == []
    said = "\n".join(told)
    assert SECRET not in said
    assert "were run as superuser" in said
    assert "CREATE EVENT TRIGGER fires" in said
    assert "may need a superuser, and --trust runs them" in said


@pytest.mark.pg(matrix=False)
def test_these_attacks_reach_the_machine_if_the_schema_is_trusted(
    tmp_path: Path, reachable_path: Path
) -> None:
    """Otherwise the test above could not fail."""
    reached, told = hostile(tmp_path, reachable_path, ("14", "18"), trust=True)
    assert {"do", "trigger", "check", "index", "view", "event", "leakproof", "domain"} <= set(reached)
    assert SECRET in "\n".join(told)
    held_back = {
        "comment",
        "line-comment",
        "dollar",
        "tagged",
        "close",
        "unicode",
        "escape",
        "from-program",
        "archive",
    }
    assert not held_back & set(reached)


@pytest.mark.pg(matrix=False)
def test_a_configuration_loads_libraries_of_the_installs_only(tmp_path: Path) -> None:
    library = tmp_path / "auto_explain.so"
    library.write_text("not a library")  # where it is loaded, the server does not start
    configuration = tmp_path / "postgresql.conf"
    configuration.write_text(
        f"shared_preload_libraries = '{library}'\nplperl.on_init = 'system(\"touch {tmp_path}/perl\")'\n"
    )
    found = readiness(old="14", new="18", config=str(configuration), stages=["settings"])
    assert dict(found.runs[0].report.counts)["servers started with the configuration"] == 2
    told = "\n".join(found.problems)
    assert "does not start" not in told
    assert "plperl.on_init: runs code when the language is loaded" in told
