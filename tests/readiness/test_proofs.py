"""Each kind of proof that readiness prints, run as it is printed: it shows its own finding, and no other."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.readiness.test_plpgsql_check import SCHEMA, having

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

BIN = Path(sys.executable).parent
FILES = {
    "schema.sql": r"""
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.orders (id integer PRIMARY KEY, code name);
GRANT SELECT ON public.orders TO reader;
\ir backups.sql
CREATE UNLOGGED TABLE public.parent (id integer) PARTITION BY RANGE (id);
CREATE TABLE public.days (a date);
COPY public.days FROM stdin;
2024-01-01
y2024m01d02
\.
SET check_function_bodies = off;
CREATE FUNCTION public.backs_up() RETURNS boolean LANGUAGE sql AS 'SELECT pg_is_in_backup()';
CREATE FUNCTION public.casefold(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT upper($1)';
CREATE TABLE public.codes (code text, owner aclitem);
""",
    "backups.sql": "CREATE VIEW public.backups AS\n  SELECT pg_is_in_backup() AS running;\n",
    "data.sql": """INSERT INTO public.codes SELECT 'c' || g, NULL FROM generate_series(1, 20) g;
INSERT INTO public.orders VALUES (1), (2), (3);
""",
    "q.sql": """SELECT 1 FROM orders WHERE id = 10OR false;
SELECT 10_0 FROM orders;
SELECT casefold('a');
SELECT relacl::text FROM pg_class WHERE relname = 'orders';
SELECT count(*) FROM orders;
""",
    "postgresql.conf": "stats_temp_directory = '/tmp'\nmax_files_per_process = 64\npassword_encryption = 'md5'\n",
    "pg_hba.conf": "local all all trust\nlocal /[ all trust\n",
    "ours.py": """
from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Call


@behavior(
    "app/casefold",
    title="PostgreSQL has a function casefold",
    area="app",
    source="our notes, 1",
    expect={"<18": "42883", ">=18": None},
    kind="incompatibility",
    remedy="Call it by another name.",
    affects=Call("count"),
)
def casefold(lab):
    return lab.sqlstate("SELECT casefold('a')")
""",
}
GIVEN = (
    *("--schema", "schema.sql", "--data", "data.sql", "--queries", "q.sql", "--config", "postgresql.conf"),
    *("--hba", "pg_hba.conf", "--behaviors", "ours.py"),
)
Finding = dict[str, Any]


def shell(directory: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=directory,
        env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "COLUMNS": "300", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Finding]]:
    directory = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        (directory / name).write_text(text)
    return directory, found_in(directory, "14", "18", *GIVEN)


def found_in(directory: Path, old: str, new: str, *given: str) -> list[Finding]:
    words = ["pgfeatures", "readiness", "--from", old, "--to", new, *given, "--json", "found.json"]
    ended = shell(directory, shlex.join(words))
    assert "Traceback" not in ended.stderr
    found: list[Finding] = json.loads((directory / "found.json").read_text())["findings"]
    return found


def kind_of(finding: Finding) -> str:
    """The function of ours that wrote the proof, as far as a proof tells."""
    words = shlex.split(finding["proof"])
    return " ".join([finding["stage"], words[1] if words[0] == "pgfeatures" else words[0]])


SHOWS: dict[str, Callable[[Finding, str], bool]] = {
    "settings run": lambda finding, shown: "invalid regular expression" in shown,
    "settings bisect": lambda finding, shown: one_change(shown) and finding["object"].split()[1] in shown,
    "schema bisect": lambda finding, shown: one_change(shown) and said(finding, shown),
    "queries bisect": lambda finding, shown: one_change(shown) and said(finding, shown),
    "results bisect": lambda finding, shown: one_change(shown),
    "incompatibilities verify": lambda finding, shown: one_behavior(finding, shown),
    "incompatibilities pytest": lambda finding, shown: (
        "1 behaviors as documented" in shown or one_behavior(finding, shown)
    ),
    "upgrade readiness": lambda finding, shown: finding["message"].split(":")[0] in shown,
}
"""By stage and command, whether what a proof prints shows the finding."""


def one_change(shown: str) -> bool:
    """Whether the answer to one statement changes."""
    return len(re.findall(r"^\d+: (?:refused|accepted|other \w+): ", shown, re.MULTILINE)) == 1


def said(finding: Finding, shown: str) -> bool:
    """Whether the server's error is shown, if it is one."""
    return finding["sqlstate"] is None or finding["sqlstate"] in shown


def one_behavior(finding: Finding, shown: str) -> bool:
    """Whether one behavior ran, and is as documented on both versions."""
    return f"\n{finding['behavior']} " in shown and "2 asked: 2 as documented" in shown


def test_each_proof_shows_its_own_finding_and_no_other(project: tuple[Path, list[Finding]]) -> None:
    directory, findings = project
    chosen: dict[tuple[str, str], Finding] = {}
    for each in findings:
        if each["proof"]:
            several = each["stage"] in ("schema", "queries")
            chosen.setdefault((kind_of(each), each["message"][:25] if several else ""), each)
    wrong = []
    for (kind, _), finding in chosen.items():
        ended = shell(directory, finding["proof"])
        if not SHOWS[kind](finding, ended.stdout):
            wrong.append(f"{finding['message']}\n{finding['proof']}\n{ended.stdout}\n{ended.stderr}")
    assert not wrong, "\n\n".join(wrong)
    assert {kind for kind, _ in chosen} == set(SHOWS)


class Other(NamedTuple):
    """An application with findings that the one above can't have, too.

    Parameters:
        told: what the findings say whose proofs are run.
        proved: how many of them have a proof.
        shows: whether what a proof prints shows its finding, and nothing else.
    """

    versions: tuple[str, str]
    files: dict[str, str]
    given: tuple[str, ...]
    told: str
    proved: int
    shows: Callable[[Finding, str], bool]


ORDERS = """
CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL, note text);
INSERT INTO orders SELECT i, i % 1000, 'n' || i FROM generate_series(1, 30000) i;
CREATE INDEX by_customer ON orders (customer);
"""
BY_CUSTOMER = "WITH one AS (SELECT * FROM orders) SELECT * FROM one WHERE customer ="
WITH_PSQL = "psql -q -v ON_ERROR_STOP=1"
OTHERS = {
    "a server that does not start": Other(
        ("9.6", "18"),
        {"a.conf": "work_mem = '5MB'\nwal_level = minimal\n"},
        ("--config", "a.conf"),
        "does not start",
        1,
        lambda finding, shown: (
            finding["message"].partition("configuration: ")[2] in shown and finding["line"] == 2
        ),
    ),
    "plans": Other(
        ("9.6", "14"),
        {"data.sql": ORDERS, "q.sql": f"{BY_CUSTOMER} 3;\n{BY_CUSTOMER} $1;\nSELECT count(*) FROM orders;\n"},
        ("--data", "data.sql", "--queries", "q.sql", "--stage", "plans"),
        "another plan",
        1,  # and none where the plan is that for any value
        lambda finding, shown: one_change(shown) and "Bitmap Index Scan on by_customer" in shown,
    ),
    "commands": Other(
        ("14", "18"),
        {"a.sql": "CREATE TABLE a (it text);"},
        (
            *("--setup", f"{WITH_PSQL} -f a.sql"),
            *("--setup", f"echo '1  2' && {WITH_PSQL} -c 'SELECT pg_is_in_backup() FROM a'"),
        ),
        "ended with status 1",
        1,
        lambda finding, shown: (
            finding["excerpt"] in shown
            and len(re.findall("^1  2$", shown, re.MULTILINE)) == 2
            and "passes on 14, fails on 18" in shown
        ),
    ),
    "commands of a superuser": Other(
        ("14", "18"),
        {},
        (
            *("--trust", "--setup"),
            f"{WITH_PSQL} -c 'CREATE ROLE a; CREATE ROLE b CREATEROLE; SET ROLE b; ALTER ROLE a CREATEDB'",
        ),
        "ended with status 1",
        1,
        lambda finding, shown: (
            len(re.findall(r"permission denied to alter role", shown)) == 1
            and finding["excerpt"] in shown
            and "passes on 14, fails on 18" in shown
        ),
    ),
    "commands that a superuser may run": Other(  # as whom a proof runs them, so that none would show it
        ("14", "18"),
        {},
        ("--setup", f"{WITH_PSQL} -d postgres -c 'CREATE TABLE a ()'"),
        "ended with status 1",
        0,
        lambda finding, shown: False,
    ),
    "what commands made": Other(  # which no statements of files make again
        ("14", "18"),
        {},
        ("--setup", f"{WITH_PSQL} -c 'CREATE TABLE a ()'"),
        "it differs",
        0,
        lambda finding, shown: False,
    ),
}


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS)
def test_each_other_proof_shows_its_own_finding(case: Other, tmp_path: Path) -> None:
    proved(case, tmp_path)


def test_the_proof_of_plpgsql_check_shows_its_own_finding(tmp_path: Path) -> None:
    """Both installs need the extension in one version; see tests/readiness/test_plpgsql_check.py."""
    proved(
        Other(
            (having("10..16"), having(">=17")),
            {"schema.sql": SCHEMA},
            ("--schema", "schema.sql"),
            "plpgsql_check finds",
            2,
            lambda finding, shown: (
                one_change(shown) and finding["message"].rpartition(": ")[2] in shown and said(finding, shown)
            ),
        ),
        tmp_path,
    )


def proved(case: Other, directory: Path) -> None:
    for name, text in case.files.items():
        (directory / name).write_text(text)
    findings = [
        each for each in found_in(directory, *case.versions, *case.given) if case.told in each["message"]
    ]
    assert findings
    proofs = [(each, shell(directory, each["proof"])) for each in findings if each["proof"]]
    assert len(proofs) == case.proved
    for finding, ended in proofs:
        shown = ended.stdout + ended.stderr
        assert case.shows(finding, shown), f"{finding['proof']}\n{shown}"
