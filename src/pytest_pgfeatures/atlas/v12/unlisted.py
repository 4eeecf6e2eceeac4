"""Changes of 12 that the release notes don't list as incompatibilities."""

import re

from pytest_pgfeatures import NotYet, Remedied, Row, VersionSet, behavior, rows
from pytest_pgfeatures.affects import Call, CatalogQuery, Column, ParseNode, RefusedWith, SettingUsed
from pytest_pgfeatures.atlas.patterns import other_unaccent, relation
from pytest_pgfeatures.atlas.taken_names import hiding_configurations
from pytest_pgfeatures.atlas.v12.recovery import write


@behavior(
    "12/cte-inlined",
    title="A WITH query that is referenced once is inlined into the outer query",
    area="performance",
    source="PostgreSQL 12 release notes, Optimizer",
    manual="queries-with#QUERIES-WITH-CTE-MATERIALIZATION",
    kind="incompatibility",
    expect={"<12": "CTE Scan", ">=12": "Seq Scan"},
    isolation="transaction",
    remedy="Write AS MATERIALIZED where the WITH query must be planned separately.",
    affects=ParseNode(
        "CommonTableExpr",
        ctematerialized="Default",
        ctequery="^SelectStmt",
        may="if its query must be planned separately, or must run even if nobody needs its rows",
    ),
)
def cte_inlined(lab):
    lab.sql("CREATE TABLE t (a integer)")
    return lab.explain("WITH w AS (SELECT * FROM t) SELECT * FROM w WHERE a = 1", analyze=False).root.type


rows(
    Row(
        (),
        "wal-senders-not-in-connections",
        lambda lab: (
            lab.restart_refusal(max_connections=5, superuser_reserved_connections=1, max_wal_senders=5)
            is None
        ),
        before=False,
        after=True,
        since="12",
        isolation="cluster",
        title="max_wal_senders doesn't count toward max_connections",
        area="settings",
        source="PostgreSQL 12 release notes, Streaming Replication and Recovery",
        manual="runtime-config-replication#GUC-MAX-WAL-SENDERS",
        note="Older servers don't start if max_wal_senders leaves no other connection.",
        remedy="On each standby, set max_wal_senders to the primary's value or more: hot standby needs that now.",
        affects=SettingUsed(
            "max_wal_senders", value=r"0*[1-9]\d*", may="a standby needs the primary's value or more"
        ),
    ),
    Row(
        (),
        "trigger-definition",
        "SELECT pg_get_triggerdef(oid) LIKE '% EXECUTE PROCEDURE %' FROM pg_trigger WHERE tgname = 'tells'",
        before=True,
        after=False,
        since="12",
        setup="CREATE TABLE t (a integer);"
        "CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN new; END$$;"
        "CREATE TRIGGER tells BEFORE INSERT ON t FOR EACH ROW EXECUTE PROCEDURE tell()",
        title="pg_get_triggerdef() writes EXECUTE FUNCTION instead of EXECUTE PROCEDURE",
        area="catalogs",
        source="PostgreSQL 12 release notes, System Views",
        manual="functions-info#FUNCTIONS-INFO-CATALOG",
        remedy="Compare definitions of one version only.",
        affects=Call("pg_get_triggerdef", may="if its text is compared"),
    ),
    Row(
        (),
        "new-enum-value",
        "SELECT 'b'::e::text",
        expect={"<12": "b", "12..16": "55P04", ">=17": "b"},
        since="12",
        setup="CREATE TYPE e AS ENUM ('a'); ALTER TYPE e ADD VALUE 'b'",
        title="A value added to an enum can't be used before the transaction commits",
        area="statements",
        source="PostgreSQL 12 release notes, Utility Commands",
        manual="sql-altertype",
        note="Up to 11, a transaction can run ALTER TYPE ... ADD VALUE only for a type that it created, and can use"
        " the value. From 17 on, it can use the value of such a type again.",
        remedy="Commit before you use the value, or create the type with all its values.",
        affects=ParseNode(
            "AlterEnumStmt",
            lacks={"oldVal": "."},
            may="if the transaction that created the type uses the value",
        ),
    ),
    Row(
        (),
        "regression-of-a-constant",
        "SELECT regr_r2(1.3, x)::text FROM generate_series(1, 5) x",
        "0",
        "1",
        since="12",
        title="Statistical aggregates of a constant are exact: regr_r2(1.3, x) is 1",
        area="functions",
        source="PostgreSQL 12 release notes, Functions",
        manual="functions-aggregate#FUNCTIONS-AGGREGATE-STATISTICS-TABLE",
        remedy="Exclude constant inputs: they have no defined correlation.",
        affects=Call("regr_r2", "corr", args=2, may="if an input is constant, or nearly so"),
    ),
    other_unaccent("12", "\u02bb", "\u02bb", "'"),
)

rows(
    Row(
        (),
        "foreign-key-name",
        "SELECT conname::text FROM pg_constraint WHERE conrelid = 'u'::regclass AND contype = 'f'",
        "u_a_fkey",
        "u_a_b_fkey",
        since="12",
        setup="CREATE TABLE t (a integer, b integer, PRIMARY KEY (a, b));"
        "CREATE TABLE u (a integer, b integer, FOREIGN KEY (a, b) REFERENCES t)",
        title="The default name of a foreign key contains all of its columns, not only the first",
        area="statements",
        source="PostgreSQL 12 release notes, Utility Commands",
        manual="sql-createtable",
        note="Restored foreign keys keep their names.",
        remedy="Give the foreign key its name: CONSTRAINT u_a_fkey FOREIGN KEY (a, b).",
        affects=[
            RefusedWith("42704", r'constraint "\w+_fkey\d*" (?:of|for) '),
            CatalogQuery(
                """
                SELECT 'foreign key ' || o.conname || ' of ' || o.conrelid::regclass, c.relname, a.attname
                  FROM pg_constraint AS o JOIN pg_class AS c ON c.oid = o.conrelid
                  JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = o.conkey[1]
                 WHERE o.contype = 'f' AND array_length(o.conkey, 1) > 1
                   AND o.conname = c.relname || '_' || a.attname || '_fkey'
                """,
                at=("foreign",),
                may="if something refers to its default name",
            ),
        ],
    ),
    Row(
        (),
        "statistics-of-shared-objects",
        "SELECT count(*) FROM pg_stat_database WHERE datname IS NULL",
        0,
        1,
        since="12",
        title="pg_stat_database has a row without a name, for shared objects",
        area="monitoring",
        source="PostgreSQL 12 release notes, Monitoring",
        manual="monitoring-stats#MONITORING-PG-STAT-DATABASE-VIEW",
        remedy="Leave it out: WHERE datname IS NOT NULL.",
        remedied="SELECT count(*) FROM pg_stat_database WHERE datname IS NOT NULL AND datid = 0",
        affects=relation(
            "pg_stat_database",
            unless=ParseNode("ColumnRef", within=("A_Expr", "NullTest"), fields="(datname|datid)$"),
            may="there is one more row, whose datname is NULL",
        ),
    ),
    Row(
        (),
        "to-timestamp-separators",
        "SELECT to_timestamp('2011-12-18 23:38:15', 'YYYY-MM-DD  HH24:MI:SS')::time::text",
        "03:38:15",
        "23:38:15",
        since="12",
        title="An extra space or separator in the template of to_timestamp() skips no digit",
        area="functions",
        source="PostgreSQL 12 release notes, Functions",
        manual="functions-formatting",
        remedy="Write as many spaces and separators as the text has.",
        affects=Call(
            "to_timestamp",
            "to_date",
            args=2,
            where={2: r"(?s)'.*[^\w'\"][^\w'\"].*'"},
            may="if the text has fewer spaces or separators there",
        ),
    ),
    Row(
        (),
        "pg-stat-ssl-clientdn",
        "SELECT count(clientdn) FROM pg_stat_ssl",
        expect={"<9.5": NotYet("42P01"), "9.5..11": 0, ">=12": "42703"},
        since="12",
        title="The column clientdn of pg_stat_ssl is called client_dn",
        area="catalogs",
        source="PostgreSQL 12 release notes, Monitoring",
        manual="monitoring-stats#MONITORING-PG-STAT-SSL-VIEW",
        remedy="Read client_dn.",
        affects=Column("pg_stat_ssl", "clientdn"),
    ),
)

rows(
    hiding_configurations("12", "lithuanian", "arabic", "indonesian", "irish", "nepali", "tamil"),
    Row(
        (),
        "pg-stat-ssl-of-others",
        "SELECT count(ssl) > 0 FROM pg_stat_ssl",
        expect={"<9.5": NotYet("42P01"), "9.5..11": True, ">=12": False},
        since="12",
        setup="CREATE ROLE pgf_reader; SET LOCAL ROLE pgf_reader",
        title="pg_stat_ssl hides other roles' connections",
        area="monitoring",
        source="PostgreSQL 12 release notes, Monitoring",
        manual="monitoring-stats#MONITORING-PG-STAT-SSL-VIEW",
        remedy="Grant pg_read_all_stats to the role that monitors.",
        affects=relation("pg_stat_ssl", may="a role without pg_read_all_stats sees its own connections only"),
    ),
)

rows(
    Row(
        (),
        "statements-reset-arguments",
        "GRANT EXECUTE ON FUNCTION pg_stat_statements_reset() TO PUBLIC",
        expect={"<12": None, ">=12": "42883"},
        since="12",
        setup="CREATE EXTENSION pg_stat_statements",
        needs=["contrib:pg_stat_statements"],
        title="pg_stat_statements_reset() has three arguments, which GRANT must name",
        area="extensions",
        source="PostgreSQL 12 release notes, Additional Modules",
        manual="pgstatstatements",
        remedy="From 10 on, leave out the argument list: GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO ...",
        remedied=Remedied(
            "GRANT EXECUTE ON FUNCTION pg_stat_statements_reset TO PUBLIC", {"<10": "42601", ">=10": None}
        ),
        affects=ParseNode(
            "ObjectWithArgs",
            within=("GrantStmt",),
            objname="pg_stat_statements_reset$",
            lacks={"objargs": ".", "args_unspecified": "true"},
        ),
    ),
)


@behavior(
    "12/walreceiver-name",
    title="A standby without application_name appears under its cluster_name on the primary",
    area="replication",
    source="PostgreSQL 12 release notes, Monitoring",
    manual="runtime-config-logging#GUC-CLUSTER-NAME",
    kind="incompatibility",
    isolation="cluster",
    settings={"wal_level": "replica"},
    expect={"<12": "walreceiver", ">=12": "named"},
    note="9.3 and 9.4 have no cluster_name.",
    remedy="Write application_name into primary_conninfo, and the same name into synchronous_standby_names.",
    affects=SettingUsed(
        "cluster_name", may="a standby has this name in pg_stat_replication and synchronous_standby_names"
    ),
)
def walreceiver_name(lab):
    standby = lab.standby()
    settings = {"cluster_name": "named"} if lab.version in VersionSet(">=9.5") else {}
    if lab.version in VersionSet("<12"):
        recovery = standby.cluster.datadir / "recovery.conf"
        write(standby, recovery.name, without_application_name(recovery.read_text()))
    else:
        settings["primary_conninfo"] = without_application_name(standby.value("SHOW primary_conninfo"))
    standby.restart(**settings)
    lab.poll_query_until("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", 1)
    return lab.value("SELECT application_name FROM pg_stat_replication")


def without_application_name(text):
    return re.sub(r"application_name\s*=\s*[\w-]+", "", text)
