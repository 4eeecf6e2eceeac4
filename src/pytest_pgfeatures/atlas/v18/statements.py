"""SQL that behaves differently in 18."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import (
    Call,
    CatalogQuery,
    Constant,
    ParseNode,
    RefusedWith,
    ResultOf,
    SettingUsed,
)
from pytest_pgfeatures.atlas.in_catalogs import triggers
from pytest_pgfeatures.atlas.patterns import relation

ABBREVIATION = "(?!UTC|GMT|ZULU)[A-Z]{3,5}"
ABBREVIATED = r"(?![0-9A-F]{8}-[0-9A-F]{4}-)(?=.*\d[-/:]\d).*\d\s*(?!UTC|GMT|ZULU|BC|AD|AM|PM)[A-Z]{3,5}"
"""A regular expression for a time with the abbreviation of a zone."""
JOINED = rf".*\|\| '([^']*[\d ])?{ABBREVIATION}'"
"""A text that ends with an abbreviation, joined from parts."""
SCALARS = ("integer", "bigint", "smallint", "numeric", "boolean", "real", "double")
KOLKATA = "SET LOCAL timezone = 'Asia/Kolkata'"

rows(
    Row(
        "18.2",
        "session-time-zone-abbreviation",
        "SELECT ('2020-01-01 00:00 IST'::timestamptz AT TIME ZONE 'UTC')::text",
        setup=KOLKATA,
        before="2019-12-31 22:00:00",
        after="2019-12-31 18:30:00",
        area="types",
        title="An abbreviation in the session's time zone takes precedence over timezone_abbreviations",
        remedy="Write offsets or full names of time zones.",
        remedied=Remedied(
            "SELECT ('2020-01-01 00:00 +05:30'::timestamptz AT TIME ZONE 'UTC')::text",
            {"all": "2019-12-31 18:30:00"},
        ),
        note="IST is Israel's in the default list of abbreviations, and India's in the zone Asia/Kolkata.",
        affects=[
            ResultOf("timestamp with time zone"),
            Constant("timestamptz", "timetz", text=ABBREVIATED, value=True, setting="timezone"),
            Constant(
                "timestamptz",
                "timetz",
                text=ABBREVIATED,
                value=True,
                setting="timezone",
                may="if the session's time zone has an abbreviation of that name",
            ),
            *(
                Call(
                    name,
                    where={number: text},
                    may="if the session's time zone has an abbreviation of that name",
                )
                for name, number, text in (
                    ("timezone", 1, f"'{ABBREVIATION}'"),
                    ("date_trunc", 3, f"'{ABBREVIATION}'"),
                    ("make_timestamptz", 7, f"'{ABBREVIATION}'"),
                    ("timestamptz", 1, JOINED),
                    ("timetz", 1, JOINED),
                )
            ),
        ],
    ),
    Row(
        "18.3",
        "md5-password-warning",
        lambda lab: len(lab.notices("CREATE ROLE clerk PASSWORD 'md5aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'")),
        before=0,
        after=1,
        area="privileges",
        title="Setting an MD5 password gives a warning",
        remedy="Set password_encryption = 'scram-sha-256', and set the passwords again.",
        affects=[
            ParseNode(
                "DefElem",
                within=("CreateRoleStmt", "AlterRoleStmt"),
                defname="password",
                arg="^md5[0-9a-f]{32}$",
            ),
            SettingUsed("password_encryption", value="md5", may="when a password is set"),
        ],
    ),
    Row(
        "18.x8",
        "parameter-number",
        "PREPARE wrapped(int) AS SELECT $4294967297",
        before=None,
        after="42601",
        area="sql",
        title="The number of a parameter must fit into an integer",
        remedy="Write the intended number: older majors read this one as $1.",
        remedied="PREPARE right_one(int) AS SELECT $1",
        affects=RefusedWith("42601", "parameter number too large"),
    ),
    Row(
        "18.x9",
        "jsonb-null-cast",
        "SELECT ('null'::jsonb)::int",
        expect={
            "<9.4": NotYet("42704"),
            "9.4..10": NotYet("42846"),
            "11..17": NotYet("22023"),
            ">=18": None,
        },
        since="18",
        kind="feature",
        area="types",
        title="A cast from jsonb null to a number or boolean gives NULL",
        affects=[
            Call(
                *SCALARS,
                where={1: r"(?!'[^']*'( :: \w+)?$).+"},
                types=("jsonb",),
                may="if the value is a JSON null",
            ),
            ParseNode(
                "TypeCast", arg="^'null' :: jsonb$", typeName="^pg_catalog (int[248]|numeric|bool|float[48])$"
            ),
        ],
    ),
)

rows(
    Row(
        "18.4",
        "analyze-parent",
        lambda lab: [
            lab.answer("ANALYZE parents"),
            lab.value("SELECT reltuples > 0 FROM pg_class WHERE relname = 'children'"),
        ],
        setup=(
            "CREATE TABLE parents (a int); CREATE TABLE children () INHERITS (parents);"
            "INSERT INTO children SELECT generate_series(1, 10)"
        ),
        before=[None, False],
        after=[None, True],
        title="VACUUM and ANALYZE of a table process the tables that inherit from it, too",
        remedy="If that takes too long, write ANALYZE ONLY, which older majors don't know.",
        affects=ParseNode("relation", within=("VacuumStmt",), inh="true", relname="<parent>"),
    ),
    Row(
        "18.5",
        "copy-csv-end-marker",
        lambda lab: lab.copy_in("COPY lines FROM STDIN WITH (FORMAT csv)", "first\n\\.\nlast\n"),
        setup="CREATE TABLE lines (line text)",
        before=1,
        after=3,
        title=r"COPY reads a line of \. in CSV as data",
        remedy=r"Remove the line \. from CSV files.",
        remedied=Remedied(
            lambda lab: lab.copy_in("COPY lines FROM STDIN WITH (FORMAT csv)", "first\nlast\n"), {"all": 2}
        ),
        affects=ParseNode(
            "CopyStmt", is_from="true", options=r"format csv\b", may=r"if the data has a line of only \."
        ),
    ),
    Row(
        "18.6",
        "unlogged-partitioned-table",
        "CREATE UNLOGGED TABLE events (day date) PARTITION BY RANGE (day)",
        expect={"<10": NotYet("42601"), "10..17": None, ">=18": "0A000"},
        since="18",
        title="A partitioned table can't be UNLOGGED",
        remedy="Leave UNLOGGED out, and write it for the partitions.",
        remedied=Remedied(
            "CREATE TABLE logged_events (day date) PARTITION BY RANGE (day)",
            {"<10": NotYet("42601"), ">=10": None},
        ),
        note="Older majors accept the word and ignore it.",
        affects=RefusedWith("0A000", "partitioned tables cannot be unlogged"),
    ),
    Row(
        "18.6",
        "partitioned-table-set-unlogged",
        lambda lab: (
            lab.sqlstate("CREATE TABLE days (day date) PARTITION BY RANGE (day)")
            or lab.sqlstate("ALTER TABLE days SET UNLOGGED")
        ),
        expect={"<10": NotYet("42601"), "10..17": None, ">=18": "42809"},
        since="18",
        title="A partitioned table can't be SET UNLOGGED",
        remedy="Set the partitions UNLOGGED.",
        affects=RefusedWith("42809", "ALTER action SET (UN)?LOGGED cannot be performed"),
    ),
    Row(
        "18.8",
        "grant-rule",
        "GRANT RULE ON items TO clerk",
        setup="CREATE TABLE items (a int); CREATE ROLE clerk",
        before=None,
        after="42601",
        title="The privilege RULE is gone",
        remedy="Leave it out: it has had no effect since 8.2.",
        remedied="GRANT SELECT ON items TO clerk",
        affects=ParseNode(
            "AccessPriv", within=("GrantStmt", "AlterDefaultPrivilegesStmt"), priv_name="^rule$"
        ),
    ),
    Row(
        "18.x7",
        "copy-freeze-foreign-table",
        "COPY far FROM '/dev/null' WITH (FREEZE)",
        setup=(
            "CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;"
            "CREATE FOREIGN TABLE far (a int) SERVER files OPTIONS (filename '/dev/null')"
        ),
        expect={"<11": NotYet("42809"), "11..17": "55000", ">=18": "0A000"},
        since="18",
        needs=["contrib:file_fdw"],
        title="COPY FREEZE into a foreign table is refused",
        remedy="Leave FREEZE out.",
        note=(
            "11 to 17 refuse it here because the table is older than the transaction, as they do for any"
            " table, and accept it for a table created in the transaction. Up to 10, COPY can't load a"
            " foreign table."
        ),
        affects=ParseNode(
            "CopyStmt", is_from="true", relation="<foreign>", options="freeze(?! (false|off|0))"
        ),
    ),
    area="sql",
)

DEFERRED = """
    CREATE TABLE items (a int); CREATE TABLE seen (name name);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN INSERT INTO seen VALUES (current_user); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER note AFTER INSERT ON items DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE PROCEDURE note();
    CREATE ROLE clerk; GRANT ALL ON seen TO clerk
"""


def role_of_trigger(lab):
    """Return the role that a deferred trigger runs as: that of the INSERT, or the current one when it runs."""
    lab.sql("INSERT INTO items VALUES (1)")
    lab.sql("SET LOCAL ROLE clerk")
    lab.sql("SET CONSTRAINTS ALL IMMEDIATE")
    lab.sql("RESET ROLE")
    return lab.value("SELECT name::text FROM seen")


rows(
    Row(
        "18.7",
        "deferred-trigger-role",
        role_of_trigger,
        setup=DEFERRED,
        before="clerk",
        after="postgres",
        title="A deferred trigger runs as the role that made the change, not as the role at commit",
        remedy="Make the function SECURITY DEFINER if it must always run as the same role.",
        affects=triggers(
            "t.tgdeferrable", "constraint", may="if the role changes before the transaction commits"
        ),
    ),
    area="sql",
)


def rows_and_buffers(lab):
    """Return the rows and buffers that EXPLAIN ANALYZE shows for a table with one row."""
    lines = [line for (line,) in lab.sql("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) TABLE items")]
    return {
        "rows": lines[0].partition("rows=")[2].split()[0],
        "Buffers": any("Buffers:" in line for line in lines),
    }


rows(
    Row(
        "18.x6",
        "explain-analyze-defaults",
        rows_and_buffers,
        setup="CREATE TABLE items (a int); INSERT INTO items VALUES (1)",
        before={"rows": "1", "Buffers": False},
        after={"rows": "1.00", "Buffers": True},
        title="EXPLAIN ANALYZE shows buffers, and rows with two decimals",
        remedy="Use EXPLAIN (ANALYZE, BUFFERS OFF), and read rows as a number with decimals.",
        affects=[
            ParseNode(
                "ExplainStmt",
                options="analy[sz]e(?! (false|off|0))",
                lacks={"options": "buffers"},
                may="if its output is parsed or compared",
            ),
        ],
    ),
    Row(
        "18.x3",
        "generated-column-virtual",
        lambda lab: (
            lab.sqlstate("CREATE TABLE g (a int, b int GENERATED ALWAYS AS (a * 2))")
            or lab.value(
                "SELECT attgenerated::text FROM pg_attribute WHERE attrelid = 'g'::regclass AND attnum = 2"
            )
        ),
        expect={"<18": "42601", ">=18": "v"},
        kind="feature",
        title="A generated column is virtual if neither STORED nor VIRTUAL is written",
        remedy="Write STORED.",
        remedied=Remedied(
            "CREATE TABLE stored (a int, b int GENERATED ALWAYS AS (a * 2) STORED)",
            {"<12": NotYet("42601"), ">=12": None},
        ),
        affects=ParseNode("Constraint", contype="GENERATED", generated_kind="v"),
    ),
    Row(
        "18.x5",
        "not-null-constraint",
        "SELECT contype::text, conname::text FROM pg_constraint WHERE conrelid = 'items'::regclass",
        setup="CREATE TABLE items (a int NOT NULL)",
        before=[],
        after=["n", "items_a_not_null"],
        title="NOT NULL constraints have names, and rows in pg_constraint",
        remedy="Exclude contype = 'n' when you count or compare constraints.",
        remedied="SELECT contype::text, conname::text FROM pg_constraint"
        " WHERE conrelid = 'items'::regclass AND contype <> 'n'",
        affects=relation(
            "pg_constraint",
            unless=ParseNode("ColumnRef", within=("A_Expr", "NullTest"), fields="(contype|conname)$"),
            may="NOT NULL constraints have rows there",
        ),
    ),
    Row(
        "18.x4",
        "foreign-key-collations",
        lambda lab: (
            lab.sqlstate(
                "CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
            )
            or lab.sqlstate("CREATE TABLE names (name text COLLATE no_case PRIMARY KEY)")
            or lab.sqlstate('CREATE TABLE uses (name text COLLATE "C" REFERENCES names)')
        ),
        expect={"<12": NotYet("42601"), "12..17": None, ">=18": "42P21"},
        since="18",
        needs={"icu": ">=12"},
        title="Both columns of a foreign key need the same collation if one is nondeterministic",
        remedy="Give both columns the same collation.",
        remedied=Remedied(
            "CREATE TABLE right_uses (name text COLLATE no_case REFERENCES names)",
            {"<12": NotYet("42704"), ">=12": None},
        ),
        affects=[
            RefusedWith("42P21", "foreign key constraint .* cannot be implemented"),
            CatalogQuery("""
    SELECT 'foreign key ' || c.conname || ' of ' || r.relname, r.relname, a.attname, c.conname
    FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid
        CROSS JOIN generate_subscripts(c.conkey, 1) AS n
        JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[n]
        JOIN pg_attribute AS f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[n]
    WHERE c.contype = 'f' AND a.attcollation <> f.attcollation AND EXISTS (
        SELECT FROM pg_collation AS k WHERE k.oid IN (a.attcollation, f.attcollation)
            AND row_to_json(k) ->> 'collisdeterministic' = 'false')
"""),
        ],
    ),
    area="sql",
)
