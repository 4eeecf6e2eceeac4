"""LZ4 for TOAST: the article on the compression that PostgreSQL 14 brought.

Experiments measure speed. These behaviors observe what is the same on any machine: the method of a stored value,
its size, and when a method leaves a value uncompressed.
"""

from pytest_pgfeatures import behavior

ARTICLE = "LZ4 TOAST compression article (14)"
LZ4 = {"lz4": ">=14"}
"""LZ4 is needed from 14 on. Older servers don't have it, and answer with a refusal."""

# --- How to use it: the setting ----------------------------------------------------------------------------


@behavior(
    "14/default-toast-compression",
    title="default_toast_compression sets the method for columns that declare none",
    area="storage",
    source=f"{ARTICLE}, How to use LZ4",
    manual="runtime-config-client#GUC-DEFAULT-TOAST-COMPRESSION",
    isolation="transaction",
    needs=LZ4,
    since="14",
    expect={
        "<14": {"SHOW": "42704", "SET lz4": "42704", "SET zstd": "42704"},
        "14..18": {"SHOW": "pglz", "SET lz4": None, "SET zstd": "22023"},
        ">=19": {"SHOW": "lz4", "SET lz4": None, "SET zstd": "22023"},
    },
    note="From 19 on, the default is lz4 if the server was built with it.",
)
def default_toast_compression(lab):
    return {
        "SHOW": lab.value_or_sqlstate("SHOW default_toast_compression"),
        "SET lz4": lab.sqlstate("SET default_toast_compression = lz4"),
        "SET zstd": lab.sqlstate("SET default_toast_compression = zstd"),
    }


# --- How to use it: columns --------------------------------------------------------------------------------

CREATE_TBL = "CREATE TABLE tbl (id int, col1 text COMPRESSION pglz, col2 text COMPRESSION lz4, col3 text)"
"""The article's table."""

METHODS = "SELECT {columns} FROM {table} ORDER BY id"


def create_tbl(lab):
    """Create the article's table with its first row, with LZ4 as the default; return the SQLSTATE of a refusal."""
    if refused := lab.sqlstate(CREATE_TBL):
        return refused
    lab.set(default_toast_compression="lz4")
    insert_row(lab, 1)
    return None


def insert_row(lab, id):
    value = "repeat('abcdefg', 1000)"
    lab.sql(f"INSERT INTO tbl VALUES ({id}, {value}, {value}, {value})")


def methods(lab, table="tbl"):
    """Return the methods of each row's stored values: id, col1, col2, col3."""
    columns = ", ".join(f"pg_column_compression({name})" for name in ("id", "col1", "col2", "col3"))
    return lab.sql(f"SELECT {columns} FROM {table} ORDER BY id")


def declared(lab, table):
    """Return the method that each column is declared with, or None."""
    return dict(
        lab.sql(
            f"""
            SELECT attname::text, CASE attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END
            FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0
            """
        )
    )


@behavior(
    "14/column-compression",
    title="CREATE TABLE takes a compression method for each column",
    area="storage",
    source=f"{ARTICLE}, How to use LZ4",
    manual="sql-createtable#SQL-CREATETABLE-PARMS-COMPRESSION",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": {"id": None, "col1": "pglz", "col2": "lz4", "col3": None}},
    note="The article's table. id has a type that can't be compressed; col3 uses the default.",
)
def column_compression(lab):
    return lab.sqlstate(CREATE_TBL) or declared(lab, "tbl")


@behavior(
    "14/pg-column-compression",
    title="pg_column_compression returns the method of a stored value",
    area="storage",
    source=f"{ARTICLE}, How to use LZ4",
    manual="functions-admin#FUNCTIONS-ADMIN-DBSIZE",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": [[None, "pglz", "lz4", "lz4"]]},
    note=(
        "The article prints a method for the integer, which is impossible: its columns are shifted. The last one"
        " is lz4 by default_toast_compression."
    ),
)
def pg_column_compression(lab):
    return create_tbl(lab) or methods(lab)


@behavior(
    "14/alter-column-compression",
    title="ALTER TABLE ... SET COMPRESSION applies to values stored afterwards",
    area="storage",
    source=f"{ARTICLE}, How to use LZ4",
    manual="sql-altertable#SQL-ALTERTABLE-DESC-SET-COMPRESSION",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": [[None, "pglz", "lz4", "lz4"], [None, "lz4", "lz4", "lz4"]]},
    note="The existing row keeps its method.",
)
def alter_column_compression(lab):
    if refused := create_tbl(lab):
        return refused
    lab.sql("ALTER TABLE tbl ALTER COLUMN col1 SET COMPRESSION lz4")
    insert_row(lab, 2)
    return methods(lab)


@behavior(
    "14/existing-values-keep-compression",
    title="A column's new method applies to new values only",
    area="storage",
    source=f"{ARTICLE}, How to use LZ4",
    manual="sql-altertable#SQL-ALTERTABLE-DESC-SET-COMPRESSION",
    needs=LZ4,
    expect={
        "<14": "42601",
        ">=14": {"VACUUM FULL": "pglz", "UPDATE of another column": "pglz", "UPDATE": "lz4"},
    },
)
def existing_values_keep_compression(lab):
    if refused := create_tbl(lab):
        return refused
    lab.sql("ALTER TABLE tbl ALTER COLUMN col1 SET COMPRESSION lz4")
    found = {}
    for change, statement in {
        "VACUUM FULL": "VACUUM FULL tbl",
        "UPDATE of another column": "UPDATE tbl SET id = id",
        "UPDATE": "UPDATE tbl SET col1 = col1 || ''",
    }.items():
        lab.sql(statement)
        found[change] = lab.value("SELECT pg_column_compression(col1) FROM tbl")
    return found


@behavior(
    "14/compression-refused",
    title="COMPRESSION is refused for an incompressible type and for an unknown method",
    area="storage",
    source=f"{ARTICLE}, How to use LZ4",
    manual="sql-createtable#SQL-CREATETABLE-PARMS-COMPRESSION",
    isolation="transaction",
    expect={"<14": {"int": "42601", "zstd": "42601"}, ">=14": {"int": "0A000", "zstd": "22023"}},
)
def compression_refused(lab):
    return {
        "int": lab.sqlstate("CREATE TABLE t (v int COMPRESSION pglz)"),
        "zstd": lab.sqlstate("CREATE TABLE t (v text COMPRESSION zstd)"),
    }


# --- Background: what is compressed at all -----------------------------------------------------------------


@behavior(
    "14/toast-external-uncompressed",
    title="Values of a column with storage EXTERNAL are never compressed",
    area="storage",
    source=f"{ARTICLE}, Background",
    manual="storage-toast",
    isolation="transaction",
    expect={"all": {"EXTENDED": "compressed", "EXTERNAL": "as it is"}},
    note="It doesn't depend on the method, so it is the same before 14.",
)
def toast_external_uncompressed(lab):
    lab.sql("CREATE TABLE t_storage (extended text, external text)")
    lab.sql("ALTER TABLE t_storage ALTER COLUMN external SET STORAGE EXTERNAL")
    lab.sql("INSERT INTO t_storage VALUES (repeat('abcdefg', 1000), repeat('abcdefg', 1000))")
    extended, external = lab.sql(
        "SELECT pg_column_size(extended) < 7000, pg_column_size(external) < 7000 FROM t_storage"
    )[0]
    said = {True: "compressed", False: "as it is"}
    return {"EXTENDED": said[extended], "EXTERNAL": said[external]}


@behavior(
    "14/toast-tuple-threshold",
    title="Values are compressed only in rows of about 2 kB and more",
    area="storage",
    source=f"{ARTICLE}, Background",
    manual="storage-toast#STORAGE-TOAST-ONDISK",
    isolation="transaction",
    expect={"all": 2005},
    note="The length in bytes of the shortest text that is compressed, as the row's only column.",
)
def toast_tuple_threshold(lab):
    lab.sql("CREATE TABLE t_length (v text)")
    lab.sql("INSERT INTO t_length SELECT repeat('a', n) FROM generate_series(1900, 2100) n")
    return lab.value("SELECT min(length(v)) FROM t_length WHERE pg_column_size(v) < length(v)")


# --- Notes: what goes from table to table, and into a dump -------------------------------------------------


@behavior(
    "14/create-table-as-keeps-compression",
    title="CREATE TABLE AS keeps the methods of values, not the declarations of columns",
    area="storage",
    source=f"{ARTICLE}, Notes",
    manual="sql-createtable#SQL-CREATETABLE-PARMS-COMPRESSION",
    isolation="transaction",
    needs=LZ4,
    expect={
        "<14": "42601",
        ">=14": {
            "values": [[None, "pglz", "lz4", "lz4"]],
            "columns": {"id": None, "col1": None, "col2": None, "col3": None},
        },
    },
)
def create_table_as_keeps_compression(lab):
    if refused := create_tbl(lab):
        return refused
    lab.sql("CREATE TABLE copy AS SELECT * FROM tbl")
    return {"values": methods(lab, "copy"), "columns": declared(lab, "copy")}


@behavior(
    "14/insert-select-keeps-compression",
    title="INSERT ... SELECT keeps the methods of values, whatever the columns declare",
    area="storage",
    source=f"{ARTICLE}, Notes",
    manual="sql-createtable#SQL-CREATETABLE-PARMS-COMPRESSION",
    isolation="transaction",
    needs=LZ4,
    expect={
        "<14": "42601",
        ">=14": {
            "columns": [[None, "pglz", "lz4", "lz4"]],
            "expressions": [[None, "pglz", "pglz", "pglz"]],
        },
    },
    note="An expression makes a new value, which is stored with the method of its new column.",
)
def insert_select_keeps_compression(lab):
    if refused := create_tbl(lab):
        return refused
    for table in ("copy", "computed"):
        columns = ", ".join(f"col{number} text COMPRESSION pglz" for number in (1, 2, 3))
        lab.sql(f"CREATE TABLE {table} (id int, {columns})")
    lab.sql("INSERT INTO copy SELECT * FROM tbl")
    lab.sql("INSERT INTO computed SELECT id, col1 || '', col2 || '', col3 || '' FROM tbl")
    return {"columns": methods(lab, "copy"), "expressions": methods(lab, "computed")}


@behavior(
    "14/like-including-compression",
    title="LIKE ... INCLUDING COMPRESSION copies the declarations of columns",
    area="storage",
    source=f"{ARTICLE}, Notes",
    manual="sql-createtable#SQL-CREATETABLE-PARMS-LIKE",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": {"id": None, "col1": "pglz", "col2": "lz4", "col3": None}},
    note="CREATE TABLE AS doesn't copy them. The article doesn't mention LIKE.",
)
def like_including_compression(lab):
    if refused := create_tbl(lab):
        return refused
    lab.sql("CREATE TABLE alike (LIKE tbl INCLUDING COMPRESSION)")
    return declared(lab, "alike")


def dumped(lab, program, *options):
    """Return the SET COMPRESSION clauses in a program's dump of the article's table."""
    if refused := create_tbl(lab):
        return refused
    found = {}
    for option in ((), ("--no-toast-compression",)):
        lines = lab.run(program, "--schema-only", *options, *option).output.splitlines()
        clauses = [line.partition("ALTER COLUMN ")[2] for line in lines if "SET COMPRESSION" in line]
        found[" ".join(option) or "default"] = clauses
    return found


WITHOUT = {
    "default": ["col1 SET COMPRESSION pglz;", "col2 SET COMPRESSION lz4;"],
    "--no-toast-compression": [],
}


@behavior(
    "14/pg-dump-no-toast-compression",
    title="pg_dump --no-toast-compression omits compression methods",
    area="programs",
    source=f"{ARTICLE}, Notes",
    manual="app-pgdump",
    needs=LZ4 | {"pg_dump": ">=14"},
    expect={"<14": "42601", ">=14": WITHOUT},
)
def pg_dump_no_toast_compression(lab):
    return dumped(lab, "pg_dump", "--table=tbl")


@behavior(
    "14/pg-dumpall-no-toast-compression",
    title="pg_dumpall --no-toast-compression omits compression methods",
    area="programs",
    source=f"{ARTICLE}, Notes",
    manual="app-pg-dumpall",
    needs=LZ4 | {"pg_dumpall": ">=14"},
    isolation="cluster",
    expect={"<14": "42601", ">=14": WITHOUT},
)
def pg_dumpall_no_toast_compression(lab):
    return dumped(lab, "pg_dumpall")
