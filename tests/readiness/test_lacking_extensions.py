"""What depends on an extension that one install lacks follows from that, and affects nothing by itself."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.pg(matrix=False)
def test_what_depends_on_a_lacking_extension_follows_from_it(tmp_path: Path, reachable_path: Path) -> None:
    install = Resolver().resolve(parse_requests("18")[0])
    without = shutil.copytree(install.bindir.parent, reachable_path / "copy", symlinks=True)
    (control,) = without.rglob("fuzzystrmatch.control")
    control.unlink()
    (tmp_path / "schema.sql").write_text(
        "CREATE EXTENSION fuzzystrmatch;\n"
        "CREATE TABLE people (name text, code text DEFAULT soundex('a'));\n"
        "CREATE VIEW coded AS SELECT code FROM people;\n"
    )
    (tmp_path / "q.sql").write_text(
        "SELECT levenshtein(name, 'a') FROM people;\nSELECT soundex('a');\nSELECT pg_is_in_backup();\n"
        "CREATE COLLATION nocase (LOCALE = 'en-u-ks-level1', PROVIDER = icu, DETERMINISTIC = false);\n"
    )
    found = readiness(
        old="maven:13", new=f"path:{without}", schema=[tmp_path / "schema.sql"], queries=[tmp_path / "q.sql"],
        stages=["schema", "queries"],
    )  # fmt: skip
    (of_build,) = (each for each in found.findings if "ICU is not supported" in each.message)
    assert of_build.certainty == "may affect"
    assert [(each.place.line, each.sqlstate) for each in found.affects if each.place] == [(3, "42883")]
    (lacking,) = (each for each in found.findings if each.object == "extension fuzzystrmatch")
    assert lacking.certainty == "may affect"
    assert all(
        f"{name}:{line}" in lacking.message
        for name, line in (("schema.sql", 2), ("schema.sql", 3), ("q.sql", 1))
    )
