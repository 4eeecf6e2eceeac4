"""Changes of 11 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import NotYet, Row, VersionSet, rows
from pytest_pgfeatures.affects import Call, CatalogQuery, Column, ParseNode, RefusedWith
from pytest_pgfeatures.atlas.patterns import other_unaccent

rows(
    Row(
        (),
        "to-char-tzh",
        "SELECT to_char(timestamptz '2020-01-01 00:00:00Z', 'TZH')",
        "UTCH",
        "+00",
        since="11",
        setup="SET LOCAL timezone = 'UTC'",
        title="TZH and TZM in a template of to_char() stand for hours and minutes of the time zone",
        area="functions",
        source="PostgreSQL 11 release notes, Functions",
        manual="functions-formatting",
        remedy='Quote the letter: TZ"H".',
        remedied="SELECT to_char(timestamptz '2020-01-01 00:00:00Z', 'TZ\"H\"')",
        affects=Call("to_char", "to_timestamp", "to_date", where={2: r"(?is)'.*TZ[HM].*'"}),
    ),
    other_unaccent("11", "\u01d5", "\u01d5", "U"),
)


def default_publication(lab):
    """Return whether a new publication has TRUNCATE, or the SQLSTATE of a server without publications."""
    if lab.version in VersionSet("<10"):
        return lab.sqlstate("CREATE PUBLICATION p")
    lab.sql("CREATE PUBLICATION p")
    return lab.value("SELECT coalesce(to_json(p) ->> 'pubtruncate', 'false')::boolean FROM pg_publication p")


rows(
    Row(
        (),
        "truncate-published",
        default_publication,
        expect={"<10": NotYet("42601"), "10": False, ">=11": True},
        since="11",
        title="A publication publishes TRUNCATE, too, which empties the subscribers' tables",
        area="replication",
        source="PostgreSQL 11 release notes, Base Backup and Streaming Replication",
        manual="sql-createpublication",
        note="Publications that come from 10 by pg_dump or pg_upgrade don't change.",
        remedy="Write WITH (publish = 'insert, update, delete') where subscribers must keep their rows.",
        affects=CatalogQuery(
            "SELECT 'publication ' || pubname, pubname FROM pg_publication"
            " WHERE pubinsert AND pubupdate AND pubdelete",
            at=("publication",),
            may="if subscribers must keep the truncated rows",
        ),
    ),
    Row(
        (),
        "vacuum-of-columns",
        "VACUUM (VERBOSE) t (a)",
        None,
        "0A000",
        since="11",
        isolation="database",
        setup="CREATE TABLE t (a integer)",
        title="VACUUM with a list of columns needs ANALYZE",
        area="statements",
        source="PostgreSQL 11 release notes, Utility Commands",
        manual="sql-vacuum",
        remedy="Add ANALYZE to the options: up to 10, the column list implies it.",
        remedied="VACUUM (VERBOSE, ANALYZE) t (a)",
        affects=[
            ParseNode(
                "VacuumStmt",
                is_vacuumcmd="true",
                rels=r"VacuumRelation (\w+ \. )?\w+ \w",
                lacks={"options": "analy[sz]e"},
            ),
            RefusedWith("0A000", "ANALYZE option must be specified when a column list is provided"),
        ],
    ),
    Row(
        (),
        "prior-checkpoint",
        "SELECT prior_lsn IS NOT NULL FROM pg_control_checkpoint()",
        expect={"<9.6": NotYet("42883"), "9.6": NotYet("42703"), "10": True, ">=11": "42703"},
        since="11",
        title="pg_control_checkpoint() has no prior_lsn: the server keeps WAL for one checkpoint only",
        area="functions",
        source="PostgreSQL 11 release notes, Write-Ahead Log",
        manual="functions-info#FUNCTIONS-INFO-CONTROLDATA",
        note="In 9.6 the column is called prior_location.",
        remedy="Read redo_lsn: crash recovery needs no WAL before it.",
        affects=Column("pg_control_checkpoint", "prior_lsn", "prior_location"),
    ),
)
