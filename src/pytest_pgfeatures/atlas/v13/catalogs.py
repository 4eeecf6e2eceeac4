"""Views and catalogs that PostgreSQL 13 changed: auxiliary processes, wait events, languages."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Column, ParseNode
from pytest_pgfeatures.atlas.patterns import relation

OLD_EVENTS = (
    r"\w+Lock|(?!idle_)[a-z]+(_[a-z]+)+|clog|async|oldserxid|subtrans|proc|tbm|ClogGroupUpdate|RecoveryWalAll"
    r"|Hash/\S+/\S+|CLOG\w*"
)
"""A regular expression for wait events that 13 renamed: lightweight locks, and some others."""

OTHERS = "backend_type <> 'client backend'"
"""The condition for processes without a client; pg_stat_activity shows them from 10 on."""

ENCRYPTED = r"^(?!.*NOT_EXPR).*\b(ssl|gss_authenticated|encrypted|pg_backend_pid|client backend)\b"
"""A condition that no auxiliary process meets."""

rows(
    Row(
        "13.4",
        "processes-in-pg-stat-ssl",
        f"SELECT count(*) > 0 FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE {OTHERS}",
        expect={"<9.5": NotYet("42P01"), "9.5..9.6": NotYet("42703"), "10..12": True, ">=13": False},
        title="pg_stat_ssl has no rows for auxiliary processes",
        manual="monitoring-stats#MONITORING-PG-STAT-SSL-VIEW",
        remedy="LEFT JOIN it to pg_stat_activity.",
        remedied=Remedied(
            f"SELECT count(*) > 0 FROM pg_stat_activity LEFT JOIN pg_stat_ssl USING (pid) WHERE {OTHERS}",
            {"<9.5": NotYet("42P01"), "9.5..9.6": NotYet("42703"), ">=10": True},
        ),
        note="The view came with 9.5, its rows for such processes with 10.",
        affects=[
            ParseNode(
                "SelectStmt",
                **counting,
                fromClause=rf"{others}RangeVar (pg_catalog \. )?pg_stat_(ssl|gssapi)\b",
                lacks={"fromClause": "JOIN_(LEFT|RIGHT|FULL)", "whereClause": ENCRYPTED},
                may="auxiliary processes have no rows there",
            )
            for others, counting in (
                (r"^(?=.*\bpg_stat_activity\b).*", {}),
                (r"^(?!.*\bpg_stat_activity\b).*", {"targetList": r"\bcount \("}),
            )
        ],
    ),
    Row(
        "13.4",
        "processes-in-pg-stat-gssapi",
        f"SELECT count(*) > 0 FROM pg_stat_activity JOIN pg_stat_gssapi USING (pid) WHERE {OTHERS}",
        expect={"<12": NotYet("42P01"), "12": True, ">=13": False},
        title="pg_stat_gssapi has no rows for auxiliary processes",
        manual="monitoring-stats#MONITORING-PG-STAT-GSSAPI-VIEW",
        remedy="LEFT JOIN it to pg_stat_activity.",
        remedied=Remedied(
            f"SELECT count(*) > 0 FROM pg_stat_activity LEFT JOIN pg_stat_gssapi USING (pid) WHERE {OTHERS}",
            {"<12": NotYet("42P01"), ">=12": True},
        ),
        note="The view came with 12.",
    ),
    Row(
        "13.x1",
        "pg-pltemplate",
        "SELECT tmplname::text FROM pg_pltemplate WHERE tmplname = 'plpgsql'",
        "plpgsql",
        "42P01",
        title="The catalog pg_pltemplate is gone",
        area="catalogs",
        manual="release-13",
        remedy="Read pg_available_extensions.",
        remedied="SELECT name::text FROM pg_available_extensions WHERE name = 'plpgsql'",
        affects=relation("pg_pltemplate"),
    ),
    since="13",
    area="monitoring",
)


@behavior(
    "13/wait-event-names",
    title="Wait events have other names: RecoveryWalStream was RecoveryWalAll",
    area="monitoring",
    release_note="13.5",
    kind="incompatibility",
    manual="monitoring-stats#WAIT-EVENT-TABLE",
    isolation="cluster",
    settings={"wal_level": "replica"},
    since="13",
    expect={"<10": NotYet("42703"), "10..12": "RecoveryWalAll", ">=13": "RecoveryWalStream"},
    remedy="Correct the names in queries and dashboards.",
    note="The wait event of a standby's startup process that has applied all WAL. It is visible from 10 on.",
    affects=Column("pg_stat_activity", "wait_event", value=f"(?-i:{OLD_EVENTS})"),
)
def wait_event_names(lab):
    standby = lab.standby()
    lab.wait_for_catchup(standby)
    waiting = "SELECT wait_event FROM pg_stat_activity WHERE backend_type = 'startup'"
    if refused := lab.sqlstate(waiting):
        return refused
    standby.poll_query_until(f"SELECT count(wait_event) FROM ({waiting}) AS w", 1)
    return standby.value(waiting)
