"""Changes of 15 that the release notes don't list as incompatibilities."""

from pytest_pgfeatures import NotYet, Row, behavior, rows
from pytest_pgfeatures.affects import Body, Call, CatalogQuery, ParseNode, RefusedWith, Unseen
from pytest_pgfeatures.atlas.patterns import changed_default

CHAR_COLUMNS = (
    "relkind|relpersistence|relreplident|contype|confupdtype|confdeltype|confmatchtype|prokind|provolatile|proparallel"
    "|typtype|typcategory|typalign|typstorage|attstorage|attidentity|attgenerated|deptype|castcontext|castmethod"
    "|tgenabled|evtenabled|polcmd|defaclobjtype|aggkind|collprovider|oprkind|amtype|srsubstate|partstrat"
)
"""The columns of system catalogs that have the type "char", as applications read them."""

rows(
    changed_default(
        "15",
        "stats-fetch-consistency",
        "stats_fetch_consistency",
        {"<15": [], ">=15": "cache"},
        title="A transaction caches the statistics of an object at its first access",
        remedy="Set stats_fetch_consistency = snapshot to read all statistics as of one time.",
        may="one transaction reads statistics of different times",
        section="Monitoring",
        manual="runtime-config-statistics#GUC-STATS-FETCH-CONSISTENCY",
        note="Up to 14, the first access to any statistics fixed all of them until the end of the"
        " transaction.",
    ),
)


@behavior(
    "15/collation-version-at-connection",
    title="Connecting gives a warning if the database's collation version has changed",
    area="collations",
    source="PostgreSQL 15 release notes, Server",
    manual="sql-alterdatabase",
    kind="incompatibility",
    expect={"<15": False, ">=15": True},
    remedy="Run REINDEX, and then ALTER DATABASE ... REFRESH COLLATION VERSION.",
    note="Here the catalog's version is changed; in practice the library of the operating system has"
    " another version.",
    affects=Unseen(
        "it depends on the operating system's libraries: compare pg_database.datcollversion with"
        " pg_database_collation_actual_version(oid) after each upgrade of them"
    ),
)
def collation_version_at_connection(lab):
    lab.sqlstate("UPDATE pg_database SET datcollversion = '0.1' WHERE datname = current_database()")
    since = lab.cluster.log.position()
    lab.session("again").sql("SELECT 1")
    return lab.cluster.log_contains("collation version", since)


rows(
    Row(
        (),
        "size-in-petabytes",
        "SELECT pg_size_pretty(10240::bigint * 1024 * 1024 * 1024 * 1024)",
        "10240 TB",
        "10 PB",
        since="15",
        title="pg_size_pretty() writes petabytes as PB, and pg_size_bytes() reads PB",
        area="functions",
        source="PostgreSQL 15 release notes, Functions",
        manual="functions-admin#FUNCTIONS-ADMIN-DBSIZE",
        remedy="Compare numbers of bytes, not texts.",
        # what a server stores is never as large
        affects=Call(
            "pg_size_pretty", where={1: r"(?!.*\bpg_\w+_size \().*"}, may="if its text is read: from 10 PB on"
        ),
    ),
)


rows(
    Row(
        (),
        "char-beside-text",
        "SELECT CASE WHEN true THEN relkind ELSE 'none'::text END FROM pg_class WHERE oid = 'pg_class'::regclass",
        "r",
        "42804",
        since="15",
        title='The type "char", as of relkind, does not match text in CASE, COALESCE, UNION or ARRAY',
        area="types",
        source="PostgreSQL 15 release notes, Source Code",
        manual="typeconv-union-case",
        remedy="Cast the column: relkind::text.",
        remedied=(
            "SELECT CASE WHEN true THEN relkind::text ELSE 'none'::text END"
            " FROM pg_class WHERE oid = 'pg_class'::regclass"
        ),
        note='"char" is no longer in the category of strings: pg_type.typcategory is Z.',
        affects=[
            RefusedWith("42804", '"char".* cannot be matched'),
            RefusedWith("42725", r'operator is not unique: .*"char"'),
        ],
    ),
    Row(
        (),
        "constant-variables",
        "DO $$ DECLARE c CONSTANT refcursor; BEGIN OPEN c FOR SELECT 1; END $$",
        None,
        "22005",
        since="15",
        title="OPEN and CALL can't change a PL/pgSQL variable that is CONSTANT",
        area="plpgsql",
        source="PostgreSQL 15 release notes, PL/pgSQL",
        manual="plpgsql-declarations",
        remedy="Declare it without CONSTANT.",
        remedied="DO $$ DECLARE c refcursor; BEGIN OPEN c FOR SELECT 1; END $$",
        affects=[
            Body(r"\b(?P<name>\w+)\s+constant\s+refcursor\b.*\b(?P<trigger>open\s+(?P=name)\b)"),
            Body(
                r"\b(?P<name>\w+)\s+constant\b.*\b(?P<trigger>call\s(?:(?!\bcall\b)[^;])*?[(,]\s*(?P=name)\s*[,)])",
                may="if it is an output parameter",
            ),
        ],
    ),
)


@behavior(
    "15/keys-across-partitions",
    title="Moving a row to another partition runs a foreign key's ON UPDATE, not its ON DELETE",
    area="partitioning",
    source="PostgreSQL 15 release notes, Partitioning",
    manual="sql-update",
    kind="incompatibility",
    isolation="transaction",
    since="15",
    expect={"<10": NotYet("42601"), "10": NotYet("0A000"), "11": NotYet("42809"), "12..14": 0, ">=15": 1},
    remedy="Don't rely on the deletion. Write ON UPDATE CASCADE; otherwise the UPDATE may be refused.",
    note="The number of referencing rows after the UPDATE: up to 14, ON DELETE CASCADE deleted them.",
    affects=CatalogQuery(
        """
        SELECT 'foreign key ' || o.conname || ' of ' || o.conrelid::regclass, c.relname, o.conname
          FROM pg_constraint AS o JOIN pg_class AS c ON c.oid = o.conrelid
          JOIN pg_class AS p ON p.oid = o.confrelid
         WHERE o.contype = 'f' AND p.relkind = 'p' AND o.confdeltype IN ('c', 'n', 'd') AND o.conparentid = 0
        """,
        at=("references",),
        may="if an UPDATE changes the partition",
    ),
)
def keys_across_partitions(lab):
    refused = lab.sqlstate(
        "CREATE TABLE parts (a integer PRIMARY KEY) PARTITION BY LIST (a)"
    ) or lab.sqlstate("CREATE TABLE refers (a integer REFERENCES parts ON UPDATE CASCADE ON DELETE CASCADE)")
    if refused:
        return refused
    lab.sql("CREATE TABLE part1 PARTITION OF parts FOR VALUES IN (1)")
    lab.sql("CREATE TABLE part2 PARTITION OF parts FOR VALUES IN (2)")
    lab.sql("INSERT INTO parts VALUES (1); INSERT INTO refers VALUES (1); UPDATE parts SET a = 2")
    return lab.value("SELECT count(*) FROM refers")


@behavior(
    "15/triggers-of-partitions",
    title="A trigger cloned from a partitioned table can't be renamed on the partition",
    area="partitioning",
    source="PostgreSQL 15 release notes, Partitioning",
    manual="sql-altertrigger",
    kind="incompatibility",
    isolation="transaction",
    since="15",
    expect={
        "<10": NotYet("42601"),
        "10": NotYet("42809"),
        "11..14": None,
        "15..17": "XX000",
        ">=18": "0A000",
    },
    remedy="Rename it on the partitioned table: the partitions follow.",
    note="Up to 14, the partitions kept the old name when the trigger of the partitioned table was renamed.",
    affects=[
        RefusedWith("XX000", "cannot rename trigger"),
        RefusedWith("0A000", "cannot rename trigger"),
        ParseNode(
            "RenameStmt",
            renameType="TRIGGER",
            relation="<partitioned>",
            may="the triggers of partitions are renamed, too",
        ),
    ],
)
def triggers_of_partitions(lab):
    if refused := lab.sqlstate("CREATE TABLE parts (a integer) PARTITION BY LIST (a)"):
        return refused
    lab.sql("CREATE TABLE part1 PARTITION OF parts FOR VALUES IN (1)")
    lab.sql("CREATE FUNCTION ignored() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$")
    return lab.sqlstate(
        "CREATE TRIGGER tells AFTER INSERT ON parts FOR EACH ROW EXECUTE PROCEDURE ignored()"
    ) or lab.sqlstate("ALTER TRIGGER tells ON part1 RENAME TO other")
