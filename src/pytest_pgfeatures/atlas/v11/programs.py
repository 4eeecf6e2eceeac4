"""Clients of PostgreSQL 11: the output of pg_dump and pg_dumpall, and the time that statement_timeout counts."""

from pytest_pgfeatures import Remedied, behavior
from pytest_pgfeatures.affects import ParseNode, ProgramCall, SettingUsed

PROPERTIES = ("ALTER DATABASE", "GRANT CONNECT ON DATABASE", "COMMENT ON DATABASE")


def written(lab, program, *options):
    """Return the properties of a database that a program's output restores."""
    if not lab.value("SELECT count(*) FROM pg_roles WHERE rolname = 'joe'"):
        lab.sql("CREATE ROLE joe")
        lab.sql("CREATE DATABASE shop")  # pg_dumpall writes no properties of the database postgres
    lab.sql("ALTER DATABASE shop SET work_mem = '7MB'")
    lab.sql("GRANT CONNECT ON DATABASE shop TO joe")
    lab.sql("COMMENT ON DATABASE shop IS 'ours'")
    script = lab.run(program, *options, variables={"PGDATABASE": "shop"}).output
    return [words for words in PROPERTIES if any(line.startswith(words) for line in script.splitlines())]


@behavior(
    "11/pg-dump-create-properties",
    title="pg_dump --create writes a database's privileges and settings",
    area="programs",
    release_note="11.1",
    kind="incompatibility",
    manual="app-pgdump",
    isolation="cluster",
    needs=["pg_dump"],
    expect={"<11": ["COMMENT ON DATABASE"], ">=11": list(PROPERTIES)},
    remedy="To restore them, dump with pg_dump --create or pg_dumpall.",
    note="No install source has the programs of 10: this ran from 13 on.",
    affects=ProgramCall(
        "pg_dumpall",
        option=("-g", "--globals-only"),
        may="pg_dump --create writes the databases' privileges and settings",
    ),
)
def pg_dump_create_properties(lab):
    return written(lab, "pg_dump", "--create")


@behavior(
    "11/pg-dump-comment-of-database",
    title="pg_dump writes a database's comment only with --create",
    area="programs",
    release_note="11.1",
    kind="incompatibility",
    manual="app-pgdump",
    isolation="cluster",
    needs=["pg_dump"],
    expect={"<11": ["COMMENT ON DATABASE"], ">=11": []},
    remedy="Add --create where you need the comment.",
    affects=ParseNode(
        "CommentStmt", objtype="OBJECT_DATABASE", may="if a dump without --create must include it"
    ),
    remedied=Remedied(
        lambda lab: "COMMENT ON DATABASE" in written(lab, "pg_dump", "--create"), {"all": True}
    ),
    note="No install source has the programs of 10: this ran from 13 on.",
)
def pg_dump_comment_of_database(lab):
    return written(lab, "pg_dump")


@behavior(
    "11/pg-dumpall-globals",
    title="pg_dumpall --globals-only writes no settings or privileges of databases",
    area="programs",
    release_note="11.1",
    kind="incompatibility",
    manual="app-pg-dumpall",
    isolation="cluster",
    needs=["pg_dumpall"],
    expect={"<11": ["ALTER DATABASE", "GRANT CONNECT ON DATABASE"], ">=11": []},
    remedy="Also dump each database with pg_dump --create, or run pg_dumpall without -g.",
    remedied=Remedied(lambda lab: written(lab, "pg_dumpall"), {"all": list(PROPERTIES)}),
    note="No install source has the programs of 10: this ran from 13 on.",
)
def pg_dumpall_globals(lab):
    return written(lab, "pg_dumpall", "--globals-only")


@behavior(
    "11/statement-timeout-of-pipeline",
    title="statement_timeout counts from each Execute message, not from the first one to Sync",
    area="connections",
    release_note="11.9",
    kind="incompatibility",
    manual="runtime-config-client#GUC-STATEMENT-TIMEOUT",
    isolation="transaction",
    expect={"<11": [None, "57014"], ">=11": [None, None]},
    remedy="Set it to the limit of a single statement where a driver sends several at once.",
    note="Two statements of 0.8 seconds, sent together, with a limit of 1.5 seconds.",
    affects=SettingUsed(
        "statement_timeout",
        value="(?!0+ *(ms|s|min)?$).*",
        file=True,
        may="each statement of a pipeline has the whole time",
    ),
)
def statement_timeout_of_pipeline(lab):
    lab.sql("SET statement_timeout = '1500ms'")
    return lab.pipeline("SELECT pg_sleep(0.8)", "SELECT pg_sleep(0.8)")
