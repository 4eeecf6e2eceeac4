"""Statements that PostgreSQL 13 refuses, or answers differently."""

from pytest_pgfeatures import NotYet, Remedied, Row, rows
from pytest_pgfeatures.affects import Call, ParseNode, RefusedWith
from pytest_pgfeatures.atlas.in_catalogs import event_triggers
from pytest_pgfeatures.atlas.patterns import of_type

TAG = r"(.* \. )?(tg_tag|command_tag)"
"""A command tag of an event trigger, as a regular expression."""

# --- 13.1 A NULL escape character --------------------------------------------------------------------------

rows(
    Row(
        "13.1",
        "similar-to-escape-null",
        r"SELECT 'a%c' SIMILAR TO 'a\%c' ESCAPE NULL",
        True,
        None,
        title="SIMILAR TO ... ESCAPE NULL gives NULL",
        area="functions",
        manual="functions-matching#FUNCTIONS-SIMILARTO-REGEXP",
        remedy="Leave ESCAPE out for a backslash, or write ESCAPE '' for none.",
        remedied=r"SELECT 'a%c' SIMILAR TO 'a\%c'",
        note="substring(... FROM ... FOR NULL) gives NULL on every version, contrary to the release notes.",
        affects=Call("similar_to_escape", where={2: "null"}),
    ),
    Row(
        "13.1",
        "substring-for-null",
        lambda lab: {
            escape: lab.value(rf"""SELECT substring('abc' FROM 'a\"_\"c' FOR {escape})""")
            for escape in ("NULL", r"'\'")
        },
        expect={"all": {"NULL": None, r"'\'": "b"}},
        kind="feature",
        title="substring() with a pattern and a NULL escape character gives NULL",
        area="functions",
        manual="functions-matching#FUNCTIONS-SIMILARTO-REGEXP",
        note="With a backslash, for which NULL stands in SIMILAR TO up to 12, the pattern matches. The release"
        " notes list it as a change of 13, but no released server from 9.3 on gives another result.",
    ),
)

# --- 13.2 Filters of json_to_tsvector() --------------------------------------------------------------------

rows(
    *(
        Row(
            "13.2",
            f"{function.replace('_', '-')}-filter",
            f"""SELECT {function}('english', '{{"a": "cat"}}', '["strinx"]')::text""",
            expect={"<11": NotYet("42883"), "11..12": "'cat':1", ">=13": "22023"},
            title=f"{function}() refuses a misspelt word in its filter",
            area="functions",
            manual="functions-textsearch",
            remedy="Write string, numeric, boolean, key or all.",
            remedied=Remedied(
                f"""SELECT {function}('english', '{{"a": "cat"}}', '["string"]')::text""",
                {"<11": NotYet("42883"), ">=11": "'cat':1"},
            ),
            note="11 and 12 accept strin with any last letter; they refuse other mistakes, too.",
            affects=[
                Call(function, args=2, where={2: r"""'.*"strin[^g"]".*'( :: jsonb)?"""}),
                Call(function, args=3, where={3: r"""'.*"strin[^g"]".*'( :: jsonb)?"""}),
            ],
        )
        for function in ("json_to_tsvector", "jsonb_to_tsvector")
    ),
    since="13",
)

# --- 13.6, 13.7 Command tags -------------------------------------------------------------------------------

TAGS = """
    CREATE FUNCTION tell() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '%', tg_tag; END $$;
    CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;
    CREATE FOREIGN TABLE f (a int) SERVER s;
    CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;
    CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE PROCEDURE tell()
"""


def tag_of(statement):
    """Run a statement, and return its command tag as an event trigger receives it."""

    def observe(lab):
        (notice,) = lab.notices(statement)
        return notice.removeprefix("NOTICE:  ")

    return observe


rows(
    Row(
        "13.6",
        "tag-of-foreign-table-column",
        tag_of("ALTER FOREIGN TABLE f RENAME COLUMN a TO b"),
        "ALTER TABLE",
        "ALTER FOREIGN TABLE",
        title="The tag of ALTER FOREIGN TABLE ... RENAME COLUMN is ALTER FOREIGN TABLE",
        remedy="Accept both tags in event triggers and clients.",
        affects=[
            event_triggers(
                "'ALTER TABLE' = ANY (evttags)", "tag", may="for RENAME COLUMN of a foreign table"
            ),
            Call(
                "=", "<>", where={1: TAG, 2: ".*'alter table'.*"}, may="for RENAME COLUMN of a foreign table"
            ),
            ParseNode(
                "RenameStmt",
                renameType="COLUMN",
                relationType="FOREIGN_TABLE",
                may="if an event trigger or client reads the tag",
            ),
        ],
    ),
    Row(
        "13.7",
        "tag-of-materialized-view-column",
        tag_of("ALTER MATERIALIZED VIEW m RENAME COLUMN a TO b"),
        "ALTER TABLE",
        "ALTER MATERIALIZED VIEW",
        title="The tag of ALTER MATERIALIZED VIEW ... RENAME COLUMN is ALTER MATERIALIZED VIEW",
        remedy="Accept both tags in event triggers and clients.",
        affects=[
            event_triggers(
                "'ALTER TABLE' = ANY (evttags)", "tag", may="for RENAME COLUMN of a materialized view"
            ),
            Call(
                "=",
                "<>",
                where={1: TAG, 2: ".*'alter table'.*"},
                may="for RENAME COLUMN of a materialized view",
            ),
            ParseNode(
                "RenameStmt",
                renameType="COLUMN",
                relationType="MATVIEW",
                may="if an event trigger or client reads the tag",
            ),
        ],
    ),
    area="ddl",
    setup=TAGS,
    manual="event-trigger-matrix",
)

# --- 13.9 Old names of operator classes --------------------------------------------------------------------


def old_class(name, column, real, *, method="btree", sqlstate="42704"):
    """Make a row for the name of an operator class from before 8.0."""
    return Row(
        "13.9",
        f"operator-class-{name.replace('_', '-')}",
        f"CREATE INDEX ON t USING {method} ({column} {name})",
        None,
        sqlstate,
        title=f"The operator class {name} is no longer replaced by the default one",
        area="ddl",
        manual="indexes-opclass",
        remedy=f"Leave it out, or write {real}.",
        remedied=f"CREATE INDEX ON t USING {method} ({column} {real})",
        affects=RefusedWith(sqlstate, f'operator class "{name}" does not'),
    )


rows(
    old_class("network_ops", "a", "inet_ops"),
    old_class("timespan_ops", "b", "interval_ops"),
    old_class("datetime_ops", "c", "timestamptz_ops"),
    old_class("lztext_ops", "d", "text_ops"),
    old_class("timestamp_ops", "c", "timestamptz_ops", sqlstate="42804"),
    old_class("bigbox_ops", "e", "box_ops", method="gist"),
    setup="CREATE TABLE t (a inet, b interval, c timestamptz, d text, e box)",
)

# --- 13.10 Foreign keys from before 7.3 --------------------------------------------------------------------


def key_of_triggers(lab):
    """Create the three triggers that old dumps have for a foreign key; return the constraints' types."""
    lab.sql("CREATE TABLE parent (id int PRIMARY KEY)")
    lab.sql("CREATE TABLE child (id int)")
    arguments = "'c', 'child', 'parent', 'UNSPECIFIED', 'id', 'id'"
    for events, on, other, function, name in (
        ("INSERT OR UPDATE", "child", "parent", "check_ins", "c1"),
        ("DELETE", "parent", "child", "noaction_del", "c2"),
        ("UPDATE", "parent", "child", "noaction_upd", "c3"),
    ):
        lab.sql(
            f"CREATE CONSTRAINT TRIGGER {name} AFTER {events} ON {on} FROM {other} NOT DEFERRABLE"
            f' FOR EACH ROW EXECUTE PROCEDURE "RI_FKey_{function}"({arguments})'
        )
    return lab.answer(
        "SELECT contype::text FROM pg_constraint WHERE contype IN ('f', 't')"
        " AND conrelid IN ('parent'::regclass, 'child'::regclass) ORDER BY conname"
    )


rows(
    Row(
        "13.10",
        "foreign-key-of-triggers",
        key_of_triggers,
        "f",
        ["t", "t", "t"],
        title="Constraint triggers from before 7.3 are no longer converted to a foreign key",
        area="ddl",
        manual="sql-createtrigger",
        remedy="Declare a foreign key instead of the triggers.",
        remedied="""
            CREATE TABLE child2 (id int REFERENCES parent);
            SELECT contype::text FROM pg_constraint WHERE conrelid = 'child2'::regclass AND contype = 'f'
        """,
        note="f is a foreign key, t a constraint trigger.",
        affects=ParseNode("CreateTrigStmt", isconstraint="true", funcname=r"\bri_fkey_\w+"),
    ),
)

# --- 13.11 The type opaque ---------------------------------------------------------------------------------

rows(
    Row(
        "13.11",
        "no-opaque",
        "CREATE FUNCTION f() RETURNS opaque LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
        None,
        "42704",
        title="The type opaque is gone",
        area="types",
        manual="datatype-pseudo",
        remedy="Declare the type that fits: trigger, cstring, internal or language_handler.",
        remedied="CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
        affects=[of_type("opaque"), RefusedWith("42704", 'type "opaque" does not exist')],
    ),
)
