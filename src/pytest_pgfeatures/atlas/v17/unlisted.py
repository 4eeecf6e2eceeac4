"""Changes of 17 that its list of incompatibilities leaves out."""

from pytest_pgfeatures import behavior
from pytest_pgfeatures.affects import Sql


@behavior(
    "17/reindex-event-triggers",
    title="REINDEX fires event triggers",
    area="statements",
    source="PostgreSQL 17 release notes, Utility Commands",
    manual="event-trigger-matrix",
    kind="incompatibility",
    expect={"<17": [], ">=17": ["NOTICE:  REINDEX"]},
    isolation="transaction",
    remedy="Have the trigger name its tags, WHEN TAG IN (...), or leave REINDEX out in its function.",
    affects=Sql(
        "^ CREATE EVENT TRIGGER <word> ON {ddl_command_start|ddl_command_end}",
        unless="WHEN TAG IN",
        may="it runs for REINDEX, too",
    ),
)
def reindex_event_triggers(lab):
    lab.sql("CREATE TABLE t (a integer PRIMARY KEY)")
    lab.sql(
        "CREATE FUNCTION told() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN RAISE NOTICE '%', tg_tag; END$$"
    )
    lab.sql("CREATE EVENT TRIGGER tells ON ddl_command_start EXECUTE PROCEDURE told()")
    return [str(notice) for notice in lab.notices("REINDEX TABLE t")]
