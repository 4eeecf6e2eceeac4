"""Changes of 19 that the release notes don't list as incompatibilities, observed on 19rc1."""

from pytest_pgfeatures import NotYet, Row, behavior, rows
from pytest_pgfeatures.affects import ParseNode, ProgramCall, RefusedWith, SettingUsed
from pytest_pgfeatures.atlas.patterns import hiding_function, other_stem, statements_as_one
from pytest_pgfeatures.atlas.taken_names import hiding_configurations, taken_cast


def read_as_reader(lab):
    """Read a large object as a member of pg_read_all_data."""
    lab.sql("CREATE ROLE pgf_reader")
    if refused := lab.sqlstate("GRANT pg_read_all_data TO pgf_reader"):
        return refused
    lab.sql("SELECT lo_from_bytea(4711, 'x'); SET LOCAL ROLE pgf_reader")
    return lab.answer("SELECT encode(lo_get(4711), 'escape')")


rows(
    Row(
        (),
        "srf-in-window",
        "SELECT sum(a) OVER (ORDER BY generate_series(1, 3)) FROM (VALUES (1)) v (a)",
        [1, 2, 3],
        "0A000",
        since="19",
        title="A window definition can't contain set-returning functions",
        area="sql",
        source="PostgreSQL 19 release notes, Query Commands",
        manual="sql-expressions#SYNTAX-WINDOW-FUNCTIONS",
        remedy="Call the function in a subquery in FROM.",
        affects=[
            RefusedWith("0A000", "set-returning functions are not allowed in window definitions"),
            ParseNode(
                "FuncCall",
                within=("over", "WindowDef"),
                funcname="^(generate_series|unnest|regexp_split_to_table)$",
                may="an application's set-returning functions, too",
            ),
        ],
    ),
    *(
        Row(
            (),
            f"label-{word}",
            f"SELECT 1 {word}",
            1,
            "42601",
            since="19",
            title=f"A column can't be called {word} without AS",
            area="sql",
            source="PostgreSQL 19 release notes, Query Commands",
            manual="queries-select-lists#QUERIES-COLUMN-LABELS",
            remedy=f"Write AS {word}.",
            remedied=f"SELECT 1 AS {word}",
            affects=RefusedWith("42601", rf'syntax error at or near "{word}"'),
        )
        for word in ("respect", "ignore")
    ),
    Row(
        (),
        "all-data-large-objects",
        read_as_reader,
        expect={"<14": NotYet("42704"), "14..18": "42501", ">=19": "x"},
        since="19",
        title="pg_read_all_data reads large objects, and pg_write_all_data writes them",
        area="privileges",
        source="PostgreSQL 19 release notes, Functions",
        manual="predefined-roles",
        remedy="Don't store data that such roles must not read in large objects.",
        affects=ParseNode(
            "GrantRoleStmt",
            is_grant="true",
            granted_roles="pg_(read|write)_all_data",
            may="large objects, too",
        ),
    ),
    Row(
        (),
        "log-min-messages-text",
        "SELECT vartype FROM pg_settings WHERE name = 'log_min_messages'",
        "enum",
        "string",
        since="19",
        title="log_min_messages is a list of levels by kind of process, not one level",
        area="settings",
        source="PostgreSQL 19 release notes, Monitoring",
        manual="runtime-config-logging#GUC-LOG-MIN-MESSAGES",
        remedy="Read it as text. You can still set it to one level.",
        affects=SettingUsed("log_min_messages", read=True, may="if a program expects a single level"),
    ),
    other_stem("19", "english", "evening", "even", "evening"),
    other_stem("19", "german", "assets", "asset", "ass"),
    other_stem("19", "swedish", "caret", "caret", "car"),
    other_stem("19", "norwegian", "drivers", "driv", "drivers"),
    other_stem("19", "french", "autoraise", "autorais", "autor"),
    other_stem(
        "19",
        "lithuanian",
        "adapters",
        expect={"<12": NotYet("42704"), "12..18": "adapt", ">=19": "adapter"},
    ),
)

rows(
    hiding_configurations("19", "polish", "esperanto"),
    taken_cast(
        "19",
        "uuid-bytea-casts",
        "uuid",
        made_of="uuid",
        title="An application can't make its own casts between uuid and bytea",
    ),
    hiding_function(
        "19",
        "random",
        "date, date",
        "date '2024-01-01', date '2024-01-31'",
        among=("date", "timestamp", "timestamptz"),
    ),
    statements_as_one(
        "19",
        "statements-of-fetch",
        "DECLARE c CURSOR WITH HOLD FOR SELECT generate_series(1, 10)",
        "FETCH 2 FROM c",
        "FETCH 3 FROM c",
        like="FETCH %",
        what="numbers of rows in FETCH",
    ),
)


@behavior(
    "19/vacuumdb-partitioned-tables",
    title="vacuumdb --analyze-only and --analyze-in-stages analyze partitioned tables, too",
    area="programs",
    source="PostgreSQL 19 release notes, Server Applications",
    manual="app-vacuumdb",
    kind="incompatibility",
    needs=["vacuumdb"],
    expect={"<10": NotYet("42601"), "10..18": 0, ">=19": 1},
    since="19",
    note="The number of columns of the partitioned table that have statistics.",
    remedy="If it takes too long, name the tables with --table. A separate ANALYZE of partitioned tables is"
    " no longer needed.",
    affects=ProgramCall(
        "vacuumdb",
        option=("-Z", "--analyze-only", "--analyze-in-stages"),
        unless=("-t", "--table"),
        may="if there are partitioned tables: it takes longer",
    ),
)
def vacuumdb_partitioned_tables(lab):
    if refused := lab.sqlstate("CREATE TABLE parent (a integer) PARTITION BY LIST (a)"):
        return refused
    lab.sql("CREATE TABLE child PARTITION OF parent FOR VALUES IN (1)")
    lab.sql("INSERT INTO parent VALUES (1)")
    lab.run("vacuumdb", "--analyze-only")
    return lab.value("SELECT count(*) FROM pg_statistic WHERE starelid = 'parent'::regclass")
