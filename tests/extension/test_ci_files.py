"""The workflow and the job that docs/extensions.md shows: their commands are run, as far as they are ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

PAGE = Path(__file__).parents[2] / "docs" / "extensions.md"
MAKEFILE = """
EXTENSION = tiny
DATA = tiny--1.sql
PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
"""


def jobs():
    """The commands of each job, by the job's name, and the files that it uploads even after a failure."""
    blocks = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    files = {name: yaml.safe_load(text) for name, text in blocks}
    found = {}
    for name, job in files[".github/workflows/extension.yml"]["jobs"].items():
        (upload,) = [step for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
        assert upload["if"] == "always()"
        run = [step["run"].replace("${{ matrix.pg }}", "17") for step in job["steps"] if "run" in step]
        found[name] = run, upload["with"]["path"].split()
        if "strategy" in job:
            assert job["strategy"]["matrix"]["pg"] == [str(major) for major in range(14, 19)]
    gitlab = files[".gitlab-ci.yml"]["extension"]
    uploads = gitlab["artifacts"]
    assert uploads["when"] == "always"
    found["gitlab"] = gitlab["script"], [*uploads["paths"], uploads["reports"]["junit"]]
    return found


@pytest.mark.parametrize(
    ("job", "majors"),
    [
        ("extension", [17]),
        ("upgrade", [17, 18]),
        pytest.param("gitlab", range(14, 19), marks=pytest.mark.thorough),
    ],
)
def test_the_commands_work(tmp_path, job, majors):
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "tiny.control").write_text("default_version = '1'\n")
    (tmp_path / "tiny--1.sql").write_text("CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';\n")
    (tmp_path / "pgfeatures.toml").write_text('[extension]\nstages = ["create"]\n')
    summary = tmp_path / "summary.md"
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    if job != "gitlab":
        environment |= {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    commands, uploads = jobs()[job]
    (packages,) = [command for command in commands if "apt-get install" in command]
    assert {"flex", "bison"} <= set(packages.split())
    for command in [command for command in commands if command != packages]:
        if job == "upgrade":
            command = command.replace("14..18", "17,18")  # the others take as long, and show no more
        ran = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
    assert {"extension.html", "junit.xml"} <= set(uploads)
    assert [name for name in uploads if not (tmp_path / name).exists()] == []
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot().findall("testsuite")
    assert [suite.get("name") for suite in suites] == [f"{tmp_path.name} pg{major}" for major in majors]
    if job != "gitlab":
        assert "| create | ✅ passed |" in summary.read_text()
