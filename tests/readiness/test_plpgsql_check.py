"""The extension plpgsql_check, where an install has it: it sees what no parser of statements sees.

PGFEATURES_PATH names such installs, see docs/readiness-stages.md; without them, these tests are unavailable.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import CapabilityMissingError
from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.readiness.run import readiness
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.readiness.run import Readiness

pytestmark = pytest.mark.processes

SCHEMA = """\
CREATE TABLE orders (id integer PRIMARY KEY, total numeric);
CREATE FUNCTION total(x integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  r record; n bigint;
BEGIN
  FOR r IN SELECT * FROM pg_stat_bgwriter LOOP
    n := r.checkpoints_timed;
  END LOOP;
  SELECT nothing INTO n FROM orders WHERE id = x;
  RETURN n;
END $$;
CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE r pg_stat_bgwriter;
BEGIN
  SELECT * INTO r FROM pg_stat_bgwriter;
  IF r.buffers_backend > 3 AND NEW.total > 3
  THEN
     RAISE EXCEPTION 'no %', NEW.total;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER kept BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION kept();
CREATE FUNCTION told(x integer) RETURNS void LANGUAGE plpgsql AS '
BEGIN
  IF x > 5 THEN
    EXECUTE format(''SELECT %I FROM missing_table'', ''a'');
    EXECUTE format(''SELECT %s FROM pg_stat_bgwriter'', ''checkpoints_req'');
  END IF;
END';
"""


def having(versions: str) -> str:
    """The directory of an install at hand that has the extension, as --from takes it."""
    for install in Resolver().inventory.at_hand():
        if install.version in VersionSet(versions) and install.has("contrib:plpgsql_check"):
            return f"path:{install.bindir.parent}"
    raise CapabilityMissingError(
        f"no install of {versions} here has plpgsql_check", capability="contrib:plpgsql_check"
    )


def looked(tmp_path: Path, old: str, new: str) -> Readiness:
    schema = tmp_path / "schema.sql"
    schema.write_text(SCHEMA)
    return readiness(old=old, new=new, schema=[schema], stages=["schema", "queries"])


def of_the_extension(found: Readiness) -> list[tuple[str, int, int, str]]:
    return [
        (each.certainty, each.place.line, each.place.column, each.sqlstate or "")
        for each in found.findings
        if each.place and "plpgsql_check finds" in each.message
    ]


def test_both_servers_look_into_functions(tmp_path: Path) -> None:
    """17 moved columns of pg_stat_bgwriter (https://www.postgresql.org/docs/release/17.0/)."""
    found = looked(tmp_path, having("10..16"), having(">=17"))
    assert of_the_extension(found) == [
        ("affects", 7, 12, "42703"),
        ("affects", 16, 8, "42703"),
    ]
    executed = [each for each in found.affects if each.place and each.place.line == 27]
    assert [each.sqlstate for each in executed] == [
        "42703"
    ]  # format() of constants is read without the extension
    assert not any("plpgsql_check" in each.what for each in found.not_looked_at)
    counts = {name: count for run in found.runs for name, count in run.report.counts}
    (checked,) = (count for name, count in counts.items() if "plpgsql_check" in name)
    assert checked == 3
    trigger = next(each for each in found.findings if each.place and each.place.line == 16)
    assert trigger.excerpt == "IF r.buffers_backend > 3 AND NEW.total > 3"
    assert "'orders'" in trigger.proof.replace("'\"'\"'", "'")


def test_the_extension_leaves_nothing_in_the_application(tmp_path: Path) -> None:
    found = looked(tmp_path, "maven:14", having(">=17"))
    assert not any("plpgsql_check" in (each.object or "") for each in found.findings)


def test_what_only_the_new_server_is_asked_may_affect(tmp_path: Path) -> None:
    found = looked(tmp_path, "maven:14", having(">=17"))
    assert {each[0] for each in of_the_extension(found)} == {"may affect"}
    assert [line for _, line, _, _ in of_the_extension(found)] == [7, 9, 16, 26]
    (missed,) = (each.why for each in found.not_looked_at if each.what == "plpgsql_check")
    assert re.match(r"the install of 14\.\d+ has none, the install of \S+ has \d", missed)
    assert "may be there before the upgrade" in missed


def test_installs_without_the_extension_are_told(tmp_path: Path) -> None:
    found = looked(tmp_path, "maven:14", "maven:18")
    assert of_the_extension(found) == []
    (missed,) = (each.why for each in found.not_looked_at if each.what == "plpgsql_check")
    assert re.match(r"the install of 14\.\d+ has none, the install of 18\.\d+ has none: ", missed)
