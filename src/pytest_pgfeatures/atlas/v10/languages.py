"""Functions in C, PL/Tcl and PL/Python that PostgreSQL 10 runs differently, or refuses."""

from pytest_pgfeatures import Row, rows
from pytest_pgfeatures.affects import ParseNode, ProgramCall, ScriptText
from pytest_pgfeatures.atlas.patterns import relation

rows(
    Row(
        "10.27",
        "version-0-functions",
        "CREATE FUNCTION f() RETURNS void LANGUAGE c AS '$libdir/plpgsql', '_PG_init'",
        None,
        "42883",
        title="A C function needs PG_FUNCTION_INFO_V1: the version-0 calling convention is gone",
        area="extensions",
        manual="xfunc-c",
        remedy="Declare it with PG_FUNCTION_INFO_V1, and read its arguments with the version-1 macros.",
        note="The observation uses a function without that declaration, in PL/pgSQL's library.",
        affects=ParseNode(
            "CreateFunctionStmt",
            options=r"\blanguage c\b",
            may="if the library has no PG_FUNCTION_INFO_V1 for it",
        ),
    ),
)

HELLO = """
    CREATE EXTENSION pltcl;
    CREATE TABLE pltcl_modules (modname name, modseq int2, modsrc text);
    CREATE TABLE pltcl_modfuncs (funcname name, modname name);
    INSERT INTO pltcl_modules VALUES ('unknown', 0, 'proc hello {} { return "hello" }');
    CREATE FUNCTION f() RETURNS text LANGUAGE pltcl AS 'return [hello]';
"""


def hello_by_start_proc(lab):
    """Define hello in a function that PL/Tcl calls when it starts, and call it."""
    other = lab.session()
    other.sql("CREATE EXTENSION IF NOT EXISTS pltcl")
    other.sql("""CREATE FUNCTION start() RETURNS void LANGUAGE pltcl AS 'proc hello {} { return "hello" }'""")
    other.sql("CREATE FUNCTION g() RETURNS text LANGUAGE pltcl AS 'return [hello]'")
    other.sql("SET pltcl.start_proc = 'start'")
    return other.value_or_sqlstate("SELECT g()")


rows(
    Row(
        "10.21",
        "pltcl-modules",
        "SELECT f()",
        "hello",
        "38000",
        setup=HELLO,
        title="PL/Tcl loads no modules from the table pltcl_modules",
        area="pltcl",
        isolation="database",
        needs=["contrib:pltcl"],
        manual="pltcl-config",
        remedy="Set pltcl.start_proc to a function that defines the procedures which others call.",
        remedied=hello_by_start_proc,
        note="pltcl.start_proc came with 10. Up to 9.6, the module defines the procedure that the function calls.",
        affects=[
            relation("pltcl_modules", "pltcl_modfuncs", schema=None),
            ProgramCall("pltcl_loadmod", "pltcl_listmod", "pltcl_delmod"),
            ScriptText(r"\bpltcl_(load|list|del)mod\b"),
        ],
    ),
    Row(
        "10.20",
        "plpython-composite-array",
        "SELECT f()::text",
        '{"(1,2)","(3,4)"}',
        "42703",
        setup="""
            CREATE EXTENSION plpython3u;
            CREATE TYPE pair AS (a int, b int);
            CREATE FUNCTION f() RETURNS pair[] LANGUAGE plpython3u AS 'return [[1, 2], [3, 4]]';
            CREATE FUNCTION g() RETURNS pair[] LANGUAGE plpython3u AS 'return [(1, 2), (3, 4)]'
        """,
        title="PL/Python reads a list in a list as a nested array, not as a composite value",
        area="plpython",
        isolation="database",
        needs=["contrib:plpython3u"],
        manual="plpython-data#PLPYTHON-ARRAYS",
        remedy="Return tuples for composite values.",
        remedied="SELECT g()::text",
        note="It ran on 9.6, too, with that build's libpython. Other machines need the libpython of their build.",
        affects=ParseNode(
            "returnType",
            within=("CreateFunctionStmt",),
            names="<own-type>",
            arrayBounds=".",
            present=ParseNode("DefElem", defname="^language$", arg="^plpython"),
            may="if it returns lists of lists",
        ),
    ),
)
