"""A small extension in a directory, and ``pgfeatures extension`` as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
MAKEFILE = """
EXTENSION = {name}
DATA = $(wildcard {name}--*.sql)
PG_CONFIG ?= pg_config
{more}
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
"""


class Gate:
    """Writes extensions, and runs ``pgfeatures extension`` on them."""

    def __init__(self, place):
        self.place = place
        self.printed = ""
        self.report = None

    def write(self, name="tiny", files=None, *, control="default_version = '1.0'\n", makefile=""):
        """An extension's directory, with the files that a test adds to Makefile and control file."""
        files = {
            "Makefile": MAKEFILE.format(name=name, more=makefile),
            f"{name}.control": control,
            **(files or {}),
        }
        for path, text in files.items():
            (self.place / name / path).parent.mkdir(parents=True, exist_ok=True)
            (self.place / name / path).write_text(text)
        return self.place / name

    def run(self, place, *arguments, status=0, **environment):
        """Run it; by default on 17 alone, and not as strictly as in CI."""
        report = self.place / "report.json"
        report.unlink(missing_ok=True)
        pg = () if "--pg" in arguments else ("--pg", "17")
        ran = subprocess.run(
            [PGFEATURES, "extension", str(place), "--json", str(report), *pg, *arguments],
            env={**os.environ, "COLUMNS": "100", "CI": "", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        self.printed = ran.stdout
        assert ran.returncode == status, ran.stdout
        self.report = json.loads(report.read_text()) if report.exists() else None
        return ran.stdout

    def of(self, stage, object=None, major="pg17"):
        """The result of a stage, or of an object of it."""
        (found,) = [
            row
            for row in self.report["results"]
            if (row["stage"], row["object"], row["major"]) == (stage, object, major)
        ]
        return found

    def outcome(self, stage, object=None, major="pg17"):
        """How a stage ended, or an object of it."""
        return self.of(stage, object, major)["outcome"]


@pytest.fixture
def gate(tmp_path):
    return Gate(tmp_path)
