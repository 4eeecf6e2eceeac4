"""Functions, settings, columns and options that are gone in 15."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import Call, Column, ParseNode, ProgramCall, ScriptText, SettingUsed

rows(
    Row(
        "15.3",
        "exclusive-backup",
        "SELECT array_agg(DISTINCT proname::text) FROM pg_proc WHERE proname::text = ANY (ARRAY["
        "'pg_start_backup', 'pg_stop_backup', 'pg_backup_start', 'pg_backup_stop', 'pg_is_in_backup',"
        " 'pg_backup_start_time'])",
        before=["pg_backup_start_time", "pg_is_in_backup", "pg_start_backup", "pg_stop_backup"],
        after=["pg_backup_start", "pg_backup_stop"],
        area="functions",
        title="Exclusive backups are gone, and the backup functions are renamed",
        remedy=(
            "Call pg_backup_start and pg_backup_stop, in one session that stays open, and store what pg_backup_stop"
            " returns; or use pg_basebackup."
        ),
        affects=[
            Call("pg_start_backup", "pg_stop_backup", "pg_is_in_backup", "pg_backup_start_time"),
            ScriptText(r"(?<![\w.'\"])pg_(start_backup|stop_backup|is_in_backup|backup_start_time)\s*\("),
        ],
    ),
    Row(
        "15.23",
        "stats-temp-directory",
        "SHOW stats_temp_directory",
        before="pg_stat_tmp",
        after="42704",
        area="settings",
        title="The setting stats_temp_directory is gone",
        remedy="Delete it from postgresql.conf: the server does not start with it. Statistics are now in"
        " shared memory.",
        affects=SettingUsed("stats_temp_directory"),
    ),
    Row(
        "15.x6",
        "datlastsysoid",
        "SELECT count(datlastsysoid) > 0 FROM pg_database",
        before=True,
        after="42703",
        area="catalogs",
        title="pg_database has no column datlastsysoid",
        remedy="Upgrade the tool that reads it. System objects have OIDs below 16384.",
        affects=Column("pg_database", "datlastsysoid"),
    ),
    Row(
        "15.30",
        "xml2-well-formed",
        "CREATE FUNCTION well_formed(text) RETURNS boolean LANGUAGE c AS 'pgxml', 'xml_is_well_formed'",
        before=None,
        after="42883",
        area="extensions",
        needs=["contrib:xml2"],
        title="The library of xml2 has no function xml_is_well_formed",
        remedy="Call the server's own xml_is_well_formed; ALTER EXTENSION xml2 UPDATE before the upgrade.",
        remedied=(
            "DROP FUNCTION IF EXISTS well_formed(text);"
            " CREATE FUNCTION well_formed(text) RETURNS boolean LANGUAGE sql AS 'SELECT xml_is_well_formed($1)'"
        ),
        affects=ParseNode(
            "FuncCall",
            funcname=r"^(?!pg_catalog)(\w+ )?xml_is_well_formed$",
            extension="xml2",
            may="xml2's function is gone; the server has one of its own",
        ),
    ),
)


@behavior(
    "15/pg-dump-no-synchronized-snapshots",
    release_note="15.27",
    title="pg_dump has no option --no-synchronized-snapshots",
    area="programs",
    kind="incompatibility",
    manual="app-pgdump",
    needs=["pg_dump"],
    expect={"<15": 0, ">=15": 1},
    remedy="Leave the option out. It was for servers before 9.2, which pg_dump of 15 can't dump.",
    affects=[
        ProgramCall("pg_dump", option="--no-synchronized-snapshots"),
        ScriptText(r"^\s*(?:-\s+)?[\"']?--no-synchronized-snapshots[\"']?,?\s*\\?$"),
    ],
)
def pg_dump_no_synchronized_snapshots(lab):
    return lab.run("pg_dump", "--schema-only", "--no-synchronized-snapshots").status
