"""Programs and extensions of PostgreSQL 14: ecpg, pg_standby, intarray, tablefunc."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, ProgramCall, ScriptText, SettingUsed
from pytest_pgfeatures.atlas.in_catalogs import indexes
from pytest_pgfeatures.atlas.patterns import programs

PG_STANDBY = r"(?<![\w.-])pg_standby(?=\s+[^\s\\#;&|]|['\"]\s*,)"
"""A regular expression for the program with its arguments."""


@behavior(
    "14/ecpg-doubled-quotes",
    title="ecpg keeps doubled quotes in SQL text",
    area="programs",
    release_note="14.24",
    kind="incompatibility",
    manual="ecpg-commands",
    isolation="transaction",
    needs=["ecpg"],
    expect={"<14": "'abc'def'", ">=14": "'abc''def'"},
    remedy="Write each quote exactly twice, as in SQL.",
    note="The output for 'abc''def'. No install source has the ecpg of 13.",
    affects=ProgramCall("ecpg", may="if the program works around the loss of doubled quotes"),
)
def ecpg_doubled_quotes(lab):
    written = lab.run("ecpg", "-o", "-", "-", stdin="EXEC SQL INSERT INTO t VALUES ('abc''def');\n").output
    return written.partition("values ( ")[2].partition(" )")[0].replace("\\'", "'")


@behavior(
    "14/pg-standby",
    title="The program pg_standby is gone",
    area="programs",
    release_note="14.26",
    kind="incompatibility",
    manual="warm-standby",
    isolation="transaction",
    needs=["pg_archivecleanup"],
    expect={"<14": ["pg_standby"], ">=14": []},
    remedy="Make the server a standby with standby.signal; its restore_command need not wait.",
    affects=[
        SettingUsed("restore_command", "archive_cleanup_command", value=rf".*{PG_STANDBY}.*"),
        ProgramCall("pg_standby"),
        ScriptText(PG_STANDBY),
    ],
)
def pg_standby(lab):
    return programs(lab, "pg_standby")


# --- 14.25, 14.27 Extensions -------------------------------------------------------------------------------


def scan(lab):
    """Return the scan that a query with <@ uses on a table with an index of intarray."""
    lab.sql("SET enable_seqscan = off")
    return lab.answer("EXPLAIN (COSTS OFF) SELECT * FROM t WHERE a <@ ARRAY[1, 2]")[0]


rows(
    Row(
        "14.25",
        "intarray-contained-by",
        scan,
        "Index Scan using t_a on t",
        "Seq Scan on t",
        setup="""
            CREATE EXTENSION intarray;
            CREATE TABLE t (a int[]);
            INSERT INTO t SELECT ARRAY[i, i + 1] FROM generate_series(1, 1000) AS i;
            CREATE INDEX t_a ON t USING gist (a gist__int_ops);
            ANALYZE t
        """,
        title="A GiST index of intarray doesn't support <@",
        needs=["contrib:intarray"],
        manual="intarray",
        remedy="Drop an index that served only <@: it was no help, as each search read all of it.",
        affects=indexes(
            "o.opcname IN ('gist__int_ops', 'gist__intbig_ops')",
            "gist__int_ops",
            "gist__intbig_ops",
            "gist",
            may="searches with <@ do not use it",
        ),
    ),
    Row(
        "14.27",
        "normal-rand-negative",
        "SELECT count(*) FROM (SELECT normal_rand(-1, 0, 1) LIMIT 2) AS t",
        expect={"<9.6": NotYet(0), "9.6..13": 2, ">=14": "22023"},
        since="14",
        setup="CREATE EXTENSION tablefunc",
        title="normal_rand() refuses a negative number of rows",
        needs=["contrib:tablefunc"],
        manual="tablefunc",
        remedy="Check the number first.",
        remedied=Remedied("SELECT count(*) FROM normal_rand(greatest(-1, 0), 0, 1)", {"all": 0}),
        note="Up to 9.5, it returns no rows; from 9.6 to 13, the first of 2^64 - 1 rows.",
        affects=Call("normal_rand", where={1: "-.*"}, extension="tablefunc"),
    ),
    area="extensions",
)
