"""What both servers created from a schema: one finding for one cause, with a short proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.readiness.run import readiness

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """\
CREATE SCHEMA util;
CREATE TABLE public.orders (id int, made timestamp);
CREATE VIEW public.ages AS SELECT extract(epoch FROM made) AS age FROM public.orders;
CREATE VIEW public.copied AS SELECT age FROM public.ages;
CREATE VIEW public.copied_again AS SELECT age FROM public.copied;
CREATE FUNCTION util.crc32(bytea) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT 1::bigint';
CREATE FUNCTION public.crc32(bytea) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT 1::bigint';
"""


@pytest.mark.pg(matrix=False)
def test_one_cause_is_one_finding(tmp_path: Path) -> None:
    """Columns follow their view, and that view's readers."""
    (tmp_path / "schema.sql").write_text(SCHEMA)
    found = readiness(old="13", new="18", schema=[tmp_path / "schema.sql"], stages=["schema"])
    told = {each.object: each for each in found.findings if each.place}
    assert told.keys() == {"view public.ages"}
    ages = told["view public.ages"]
    assert ages.message.endswith(
        "; column age: type: double precision -> numeric"
        "; so do column public.copied.age, column public.copied_again.age"
    )
    assert ages.proof.endswith("\"SELECT pg_get_viewdef('public.ages'::regclass)\" --only last")


@pytest.mark.pg(matrix=False)
def test_keywords_that_call_functions_are_no_difference(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(
        "CREATE TABLE t (a timestamptz DEFAULT CURRENT_TIMESTAMP, b text DEFAULT user, c date DEFAULT now());\n"
        "CREATE VIEW v AS SELECT a FROM t WHERE c < CURRENT_DATE AND a > LOCALTIMESTAMP(0);\n"
        "CREATE DOMAIN d AS timestamptz DEFAULT CURRENT_TIMESTAMP;\n"
    )
    found = readiness(old="9.6", new="13", schema=[tmp_path / "schema.sql"], stages=["schema"])
    assert not [each.message for each in found.findings if each.place]
