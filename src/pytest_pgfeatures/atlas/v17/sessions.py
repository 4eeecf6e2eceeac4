"""Changes of 17 that need several sessions, or programs, to show."""

import tempfile
from pathlib import Path

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Column, ProgramCall, SettingUsed


@behavior(
    "17/session-authorization-after-superuser",
    release_note="17.4",
    title="SET SESSION AUTHORIZATION checks whether the login role is a superuser now",
    area="privileges",
    kind="incompatibility",
    manual="sql-set-session-authorization",
    isolation="cluster",
    expect={"<17": None, ">=17": "42501"},
    remedy="Reconnect after a role has gained or lost SUPERUSER.",
    note="Older majors use the role's SUPERUSER attribute at the time of the connection.",
    affects=SettingUsed(
        "session_authorization",
        value=".*",
        may="if the login role gained or lost SUPERUSER after it connected",
    ),
)
def session_authorization_after_superuser(lab):
    lab.sql("CREATE ROLE chief LOGIN SUPERUSER; CREATE ROLE clerk")
    session = lab.session("chief", user="chief")
    lab.sql("ALTER ROLE chief NOSUPERUSER")
    return session.sqlstate("SET SESSION AUTHORIZATION clerk")


@behavior(
    "17/pgrowlocks-modes",
    release_note="17.11",
    title="pgrowlocks writes the full names of locks that several sessions hold on a row",
    area="extensions",
    kind="incompatibility",
    manual="pgrowlocks",
    needs=["contrib:pgrowlocks"],
    expect={"<17": ["Key Share", "Share"], ">=17": ["For Key Share", "For Share"]},
    remedy="Accept both names: For Share as well as Share.",
    affects=Column("pgrowlocks", "modes", value="(key )?share", extension="pgrowlocks"),
)
def pgrowlocks_modes(lab):
    lab.sql("CREATE EXTENSION pgrowlocks; CREATE TABLE items (id int); INSERT INTO items VALUES (1)")
    for mode in ("KEY SHARE", "SHARE"):
        session = lab.session(mode.lower())
        session.sql("BEGIN")
        session.sql(f"SELECT * FROM items FOR {mode}")
    return sorted(lab.value("SELECT modes FROM pgrowlocks('items')"))


@behavior(
    "17/pgbench-d",
    release_note="17.x2",
    title="pgbench -d takes a database's name, and no longer means --debug",
    area="programs",
    kind="incompatibility",
    manual="pgbench",
    needs=["pgbench"],
    expect={"<17": "debug", ">=17": "database"},
    remedy="Write --debug.",
    remedied=lambda lab: pgbench(lab, "--debug"),
    affects=ProgramCall("pgbench", option="-d", may="it reads the next word as the database's name"),
)
def pgbench_d(lab):
    return pgbench(lab, "-d", "postgres")


def pgbench(lab, *arguments):
    """Run pgbench with an option. Return ``debug`` if it prints its steps, else ``database``."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("SELECT 1;\n")
        script.flush()
        Path(script.name).chmod(0o644)
        ran = lab.run("pgbench", "-n", "-t", "1", "-f", script.name, *arguments)
    return "debug" if "sending" in ran.errors else "database"
