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


def commands():
    """The commands of each CI's file, by its name."""
    blocks = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    files = {name: yaml.safe_load(text) for name, text in blocks}
    github = files[".github/workflows/extension.yml"]["jobs"]["extension"]["steps"]
    gitlab = files[".gitlab-ci.yml"]["extension"]["script"]
    return {"github": [step["run"] for step in github if "run" in step], "gitlab": gitlab}


@pytest.mark.parametrize("service", ["github", "gitlab"])
def test_the_commands_work(tmp_path, service):
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "tiny.control").write_text("default_version = '1'\n")
    (tmp_path / "tiny--1.sql").write_text("CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';\n")
    (tmp_path / "pgfeatures.toml").write_text('[extension]\nstages = ["create"]\n')
    summary = tmp_path / "summary.md"
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    if service == "github":
        environment |= {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    for command in commands()[service]:
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
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot().findall("testsuite")
    assert [suite.get("name") for suite in suites] == [
        f"{tmp_path.name} pg{major}" for major in range(14, 19)
    ]
    if service == "github":
        assert "| create | ✅ passed |" in summary.read_text()
