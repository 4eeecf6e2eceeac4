"""PostgreSQL 12 removed hidden OID columns: user tables have none, and catalogs show theirs."""

from pytest_pgfeatures import Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Column, ParseNode, ProgramCall, RefusedWith, SettingUsed
from pytest_pgfeatures.atlas.patterns import UPGRADES, upgradable_after

CATALOGS = (
    *(
        "pg_class",
        "pg_proc",
        "pg_type",
        "pg_namespace",
        "pg_database",
        "pg_constraint",
        "pg_trigger",
        "pg_attrdef",
    ),
    *(
        "pg_authid",
        "pg_tablespace",
        "pg_language",
        "pg_operator",
        "pg_opclass",
        "pg_extension",
        "pg_collation",
    ),
    *(
        "pg_cast",
        "pg_conversion",
        "pg_am",
        "pg_enum",
        "pg_rewrite",
        "pg_event_trigger",
        "pg_ts_config",
        "pg_policy",
    ),
)
"""Catalogs that have the column oid."""

rows(
    Row(
        "12.1",
        "create-table-with-oids",
        "CREATE TABLE t (a int) WITH OIDS",
        None,
        "42601",
        title="CREATE TABLE has no WITH OIDS",
        manual="sql-createtable",
        remedy="Declare a column, named oid if necessary.",
        remedied="CREATE TABLE t2 (oid serial, a int)",
        affects=RefusedWith("42601", r'(?i)at or near "oids"\n(?!\s*copy\b)'),
    ),
    Row(
        "12.1",
        "create-table-with-oids-option",
        "CREATE TABLE t (a int) WITH (oids)",
        None,
        "0A000",
        title="CREATE TABLE refuses the option oids",
        manual="sql-createtable",
        remedy="Leave it out; oids = false and WITHOUT OIDS are still accepted.",
        remedied="CREATE TABLE t2 (a int) WITH (oids = false)",
        affects=RefusedWith("0A000", "tables declared WITH OIDS are not supported"),
    ),
    Row(
        "12.1",
        "alter-table-set-with-oids",
        "ALTER TABLE s SET WITH OIDS",
        None,
        "42601",
        setup="CREATE TABLE s (a int)",
        title="ALTER TABLE has no SET WITH OIDS",
        manual="sql-altertable",
        remedy="Add a column.",
        remedied="ALTER TABLE s ADD id serial",
        affects=RefusedWith("42601", r'(?i)at or near "with"\n.*set\s+with\s+oids'),
    ),
    Row(
        "12.1",
        "default-with-oids",
        "SET default_with_oids = on",
        None,
        "0A000",
        title="The setting default_with_oids can't be on",
        area="settings",
        manual="runtime-config-compatible#GUC-DEFAULT-WITH-OIDS",
        remedy="Delete the line; off is still accepted.",
        remedied="SET default_with_oids = off",
        affects=SettingUsed("default_with_oids", value="on|true|yes|1|t|y"),
    ),
    Row(
        "12.1",
        "pg-class-relhasoids",
        "SELECT relhasoids FROM pg_class WHERE relname = 'pg_class'",
        True,
        "42703",
        title="pg_class has no column relhasoids",
        area="catalogs",
        manual="catalog-pg-class",
        remedy="Leave it out: no table has hidden OIDs.",
        affects=Column("pg_class", "relhasoids"),
    ),
    Row(
        "12.1",
        "catalog-oid-in-star",
        "SELECT * FROM pg_tablespace WHERE spcname = 'pg_default'",
        ["pg_default", 10, None, None],
        [1663, "pg_default", 10, None, None],
        title="SELECT * of a system catalog includes the column oid",
        area="catalogs",
        manual="catalogs",
        remedy="Name the columns that you need.",
        remedied="SELECT spcname, spcowner, spcacl, spcoptions FROM pg_tablespace WHERE spcname = 'pg_default'",
        affects=[Column(catalog, "*", may="the column oid comes first") for catalog in CATALOGS],
    ),
    area="ddl",
)


def copied_with_oids(lab):
    lab.sql("CREATE TABLE t (a int)")
    return lab.sqlstate("COPY t TO '/dev/null' WITH OIDS")


rows(
    Row(
        "12.1",
        "copy-with-oids",
        copied_with_oids,
        "42703",
        "42601",
        title="COPY has no WITH OIDS",
        area="sql",
        manual="sql-copy",
        remedy="Leave it out; copy a column instead.",
        remedied=Remedied("COPY t TO '/dev/null'", {"all": None}),
        note="The table has no OIDs, as 12 refuses them. Older versions refuse to copy its OIDs with 42703.",
        affects=[
            RefusedWith("42601", r"(?i)at or near \"(with|oids)\"\n.*\boids\b"),
            ParseNode("CopyStmt", options=r"\boids\b(?! (false|off|0))"),
            ProgramCall("pg_dump", "pg_dumpall", option=("-o", "--oids")),
        ],
    ),
)


@behavior(
    "12/with-oids-upgrade",
    title="pg_upgrade refuses a server that has tables WITH OIDS",
    area="upgrade",
    release_note="12.1",
    kind="incompatibility",
    manual="pgupgrade",
    isolation="cluster",
    needs=UPGRADES,
    expect={"<12": True, ">=12": "42601"},
    remedy="Run ALTER TABLE ... SET WITHOUT OIDS before the upgrade.",
    remedied=Remedied(
        lambda lab: upgradable_after(lab, "12", "ALTER TABLE t SET WITHOUT OIDS"), {"all": True}
    ),
    note="Whether pg_upgrade of a later version reports the table.",
)
def with_oids_upgrade(lab):
    made = lab.sqlstate("CREATE TABLE t (a int) WITH OIDS")
    return made or "tables declared WITH OIDS" in lab.upgrade_check().output
