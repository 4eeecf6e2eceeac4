"""Extensions of PostgreSQL 13: CREATE EXTENSION ... FROM, ltree, pageinspect."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import Call, Constant, RefusedWith

rows(
    Row(
        "13.12",
        "extension-from-unpackaged",
        "CREATE EXTENSION moddatetime FROM unpackaged",
        None,
        "0A000",
        setup="""
            CREATE EXTENSION moddatetime;
            ALTER EXTENSION moddatetime DROP FUNCTION moddatetime();
            DROP EXTENSION moddatetime
        """,
        needs=["contrib:moddatetime"],
        title="CREATE EXTENSION has no FROM, which packaged existing objects into an extension",
        manual="sql-createextension",
        remedy="Run it before the upgrade; or add each object with ALTER EXTENSION ... ADD.",
        remedied="""
            DROP EXTENSION IF EXISTS moddatetime;
            DROP FUNCTION IF EXISTS moddatetime();
            CREATE EXTENSION moddatetime
        """,
        affects=RefusedWith("0A000", r"CREATE EXTENSION \.\.\. FROM is no longer"),
    ),
    Row(
        "13.14",
        "ltree-stars-add-up",
        "SELECT 'a.b.c.d.e'::ltree ~ '*{2}.*{3}'::lquery, 'a.b.c'::ltree ~ '*{2}.*{3}'::lquery",
        [False, True],
        [True, False],
        setup="CREATE EXTENSION ltree",
        needs=["contrib:ltree"],
        title="In an lquery, adjacent stars with braces add up",
        manual="ltree",
        remedy="Write one star with their sum.",
        remedied="SELECT NOT ('a.b.c.d.e'::ltree ~ '*{5}'::lquery), NOT ('a.b.c'::ltree ~ '*{5}'::lquery)",
        note="Up to 12, only the last one counts.",
        affects=[
            Constant("lquery", text=r".*\*\{[^}]*\}\.\*\{.*"),
            Call("~", "?", "@", where={2: r"'.*\*\{[^}]*\}\.\*\{.*'"}),
        ],
    ),
    Row(
        "13.15",
        "bt-metap-types",
        "SELECT pg_typeof(root)::text, pg_typeof(level)::text FROM bt_metap('t_pkey')",
        ["integer", "integer"],
        ["bigint", "bigint"],
        setup="CREATE EXTENSION pageinspect; CREATE TABLE t (a int PRIMARY KEY)",
        needs=["contrib:pageinspect"],
        title="bt_metap() of pageinspect returns block numbers as bigint",
        manual="pageinspect",
        remedy="Run ALTER EXTENSION pageinspect UPDATE, and expect bigint.",
        remedied="SELECT pg_typeof(root::int)::text, pg_typeof(level::int)::text FROM bt_metap('t_pkey')",
        affects=Call("bt_metap", extension="pageinspect", may="if the types of its columns matter"),
    ),
    area="extensions",
)
