"""Names that are gone in 16: from chapter 5 of the PostgreSQL 16 verification report.

Functions of pg_walinspect (5.5), settings (5.7), and the program postmaster (5.8).
"""

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import Call, ProgramCall, ScriptText, SettingUsed
from pytest_pgfeatures.atlas.patterns import met, unknown

REPORT = "PostgreSQL 16 verification report"

# --- 5.5 Functions of pg_walinspect ------------------------------------------------------------------------

WALINSPECT = {"contrib:pg_walinspect": ">=15"}
# Each has a cluster of its own: on a shared one, a checkpoint may remove the WAL to inspect.


def create_pg_walinspect(lab, version=None):
    """Install the extension, and write some WAL to inspect. Return the SQLSTATE if there is no such extension."""
    wanted = f" VERSION '{version}'" if version else ""
    refused = lab.sqlstate(f"CREATE EXTENSION pg_walinspect{wanted}")
    if refused is None:
        lab.sql("CREATE TABLE start AS SELECT pg_current_wal_insert_lsn() AS lsn")
        lab.sql("CREATE TABLE written AS SELECT generate_series(1, 10)")
    return refused


def till_end(lab):
    """Return whether each of the functions without an end position finds the WAL that was written."""
    return {
        name: lab.value_or_sqlstate(f"SELECT count(*) > 0 FROM start, {name}(start.lsn)")
        for name in ("pg_get_wal_records_info_till_end_of_wal", "pg_get_wal_stats_till_end_of_wal")
    }


def both(answer):
    return {
        "pg_get_wal_records_info_till_end_of_wal": answer,
        "pg_get_wal_stats_till_end_of_wal": answer,
    }


@behavior(
    "16/walinspect-till-end",
    release_note="16.5",
    title="The functions of pg_walinspect that take no end position are gone",
    area="monitoring",
    source=f"{REPORT}, 5.5",
    kind="incompatibility",
    manual="pgwalinspect",
    needs=WALINSPECT,
    isolation="cluster",
    since="16",
    expect={"<15": NotYet("58P01"), "15": both(True), ">=16": both("42883")},
    remedy=(
        "Call pg_get_wal_records_info and pg_get_wal_stats with FFFFFFFF/FFFFFFFF for the end, or install the"
        " extension's VERSION '1.0', which still has the functions."
    ),
    note="pg_walinspect came with 15.",
    affects=Call(
        "pg_get_wal_records_info_till_end_of_wal",
        "pg_get_wal_stats_till_end_of_wal",
        extension="pg_walinspect",
    ),
)
def walinspect_till_end(lab):
    return create_pg_walinspect(lab) or till_end(lab)


@behavior(
    "15/walinspect-old-version",
    title="Version 1.0 of pg_walinspect, with functions that take no end position, can be installed",
    area="monitoring",
    source=f"{REPORT}, 5.5",
    manual="pgwalinspect",
    needs=WALINSPECT,
    isolation="cluster",
    expect={"<15": "58P01", ">=15": both(True)},
    note="The report does not say so. Version 1.0 is for servers that pg_upgrade upgraded from 15.",
)
def walinspect_old_version(lab):
    return create_pg_walinspect(lab, "1.0") or till_end(lab)


@behavior(
    "16/walinspect-future-end",
    title="pg_walinspect takes an end position beyond the end of the WAL",
    area="monitoring",
    source=f"{REPORT}, 5.5",
    manual="pgwalinspect",
    needs=WALINSPECT,
    isolation="cluster",
    since="16",
    expect={"<15": "58P01", "15": "22023", ">=16": True},
    note="The report's workaround. It writes the end as FFFFFFFFFFFFF, which no version reads as a position.",
)
def walinspect_future_end(lab):
    return create_pg_walinspect(lab) or lab.value_or_sqlstate(
        "SELECT count(*) > 0 FROM start, pg_get_wal_records_info(start.lsn, 'FFFFFFFF/FFFFFFFF')"
    )


# --- 5.7 Settings ------------------------------------------------------------------------------------------


@behavior(
    "16/force-parallel-mode",
    release_note="16.6",
    title="The setting force_parallel_mode is renamed to debug_parallel_query",
    area="settings",
    source=f"{REPORT}, 5.7",
    kind="incompatibility",
    manual="runtime-config-developer#GUC-DEBUG-PARALLEL-QUERY",
    since="16",
    isolation="transaction",
    expect={
        "<9.6": NotYet(unknown("force_parallel_mode")),
        "9.6..15": {"SHOW": "off", "SET": None, "start": None},
        ">=16": unknown("force_parallel_mode"),
    },
    remedy="Write debug_parallel_query. A server that finds the old name in its configuration does not start.",
    affects=SettingUsed("force_parallel_mode"),
)
def force_parallel_mode(lab):
    return met(lab, "force_parallel_mode", "on")


@behavior(
    "16/debug-parallel-query",
    title="The setting debug_parallel_query takes the place of force_parallel_mode",
    area="settings",
    source=f"{REPORT}, 5.7",
    manual="runtime-config-developer#GUC-DEBUG-PARALLEL-QUERY",
    isolation="transaction",
    expect={
        "<16": unknown("debug_parallel_query"),
        ">=16": {"SHOW": "off", "SET": None, "start": None},
    },
)
def debug_parallel_query(lab):
    return met(lab, "debug_parallel_query", "on")


@behavior(
    "16/vacuum-defer-cleanup-age",
    release_note="16.8",
    title="The setting vacuum_defer_cleanup_age is gone",
    area="settings",
    source=f"{REPORT}, 5.7",
    kind="incompatibility",
    manual="release-16#RELEASE-16-MIGRATION",
    isolation="transaction",
    expect={
        "<16": {"SHOW": "0", "SET": "55P02", "start": None},
        ">=16": unknown("vacuum_defer_cleanup_age"),
    },
    remedy="Set hot_standby_feedback on the standby, or give it a replication slot.",
    affects=SettingUsed("vacuum_defer_cleanup_age"),
)
def vacuum_defer_cleanup_age(lab):
    return met(lab, "vacuum_defer_cleanup_age", "10")


@behavior(
    "16/promote-trigger-file",
    release_note="16.9",
    title="The setting promote_trigger_file is gone",
    area="settings",
    source=f"{REPORT}, 5.7",
    kind="incompatibility",
    manual="release-16#RELEASE-16-MIGRATION",
    since="16",
    expect={
        "<12": NotYet(unknown("promote_trigger_file")),
        "12..15": {"SHOW": "", "SET": "55P02", "start": None},
        ">=16": unknown("promote_trigger_file"),
    },
    remedy="Promote a standby with pg_ctl promote or SELECT pg_promote().",
    note="Up to 11 it is trigger_file, in recovery.conf.",
    affects=SettingUsed("promote_trigger_file"),
)
def promote_trigger_file(lab):
    return met(lab, "promote_trigger_file", "promote.now")


@behavior(
    "12/pg-promote",
    title="pg_promote() promotes a standby",
    area="settings",
    source=f"{REPORT}, 5.7",
    manual="functions-admin#FUNCTIONS-RECOVERY-CONTROL",
    isolation="cluster",
    expect={"<12": "42883", ">=12": {"in recovery": True, "promoted": True, "in recovery after": False}},
    note="The report recommends it in place of promote_trigger_file.",
)
def pg_promote(lab):
    if (refused := lab.sqlstate("SELECT pg_promote()")) == "42883":
        return refused
    standby = lab.standby()
    return {
        "in recovery": standby.value("SELECT pg_is_in_recovery()"),
        "promoted": standby.value("SELECT pg_promote()"),
        "in recovery after": standby.value("SELECT pg_is_in_recovery()"),
    }


def locale_setting(name):
    """Declare the behavior for one of the two settings that showed a database's locale."""
    return behavior(
        f"16/{name.replace('_', '-')}",
        release_note="16.10",
        title=f"The setting {name}, which showed the database's locale, is gone",
        area="settings",
        source=f"{REPORT}, 5.7",
        kind="incompatibility",
        manual="release-16#RELEASE-16-MIGRATION",
        expect={
            "<16": {"SHOW": "C", "SET": "55P02", "start": f'parameter "{name}" cannot be changed'},
            ">=16": unknown(name),
        },
        remedy=f"Read dat{name[3:]} in pg_database, or current_setting('{name}', true), which gives NULL.",
        affects=SettingUsed(name, read=True),
    )


@locale_setting("lc_collate")
def lc_collate(lab):
    return met(lab, "lc_collate", "C")


@locale_setting("lc_ctype")
def lc_ctype(lab):
    return met(lab, "lc_ctype", "C")


@behavior(
    "16/locale-in-pg-database",
    title="pg_database shows a database's locale",
    area="settings",
    source=f"{REPORT}, 5.7",
    manual="catalog-pg-database",
    isolation="transaction",
    expect={"all": ["C", "C"]},
    note="The report's query that replaces lc_collate and lc_ctype. It works on every version.",
)
def locale_in_pg_database(lab):
    return lab.sql(
        "SELECT datcollate::text, datctype::text FROM pg_database WHERE datname = current_database()"
    )[0]


# --- 5.8 The program postmaster ----------------------------------------------------------------------------


@behavior(
    "16/postmaster",
    release_note="16.13",
    title="The program postmaster, a link to postgres, is gone",
    area="programs",
    source=f"{REPORT}, 5.8",
    kind="incompatibility",
    manual="app-postgres",
    isolation="transaction",
    needs=["psql"],
    expect={"<16": "a link to postgres", ">=16": "absent"},
    remedy="Start postgres, and look for that name when you monitor processes.",
    note="Installs of a bare server lack it on every version; so the install must have psql.",
    affects=[ProgramCall("postmaster"), ScriptText(r"\bbin/postmaster\b(?!\.)")],
)
def postmaster(lab):
    program = lab.cluster.install.bindir / "postmaster"
    if not program.exists():
        return "absent"
    return f"a link to {program.resolve().name}" if program.is_symlink() else "a program"
