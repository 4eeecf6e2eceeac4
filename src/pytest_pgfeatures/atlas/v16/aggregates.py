"""The aggregate any_value, and grouping by a primary key: section 4.2.2 of the PostgreSQL 16 report."""

from pytest_pgfeatures import behavior

SOURCE = "PostgreSQL 16 verification report, 4.2.2"
AGGREGATES = "functions-aggregate#FUNCTIONS-AGGREGATE-TABLE"

TABLES_BY_SCHEMA = """
    SELECT {name}, count(*)
    FROM pg_class c JOIN pg_namespace n ON c.relnamespace = n.oid
    WHERE n.nspname IN ('sales', 'stock') AND c.relkind = 'r'
    GROUP BY {key}
    ORDER BY 2
"""
"""The report's query, which counts the tables of each schema."""


def create_schemas(lab):
    lab.sql("CREATE SCHEMA sales")
    lab.sql("CREATE SCHEMA stock")
    for table in ("sales.invoice", "stock.item", "stock.shelf"):
        lab.sql(f"CREATE TABLE {table} (id int)")


def tables_by_schema(lab, *, name, key):
    """Run the report's query with ``name`` in its select list, grouped by ``key``."""
    create_schemas(lab)
    query = TABLES_BY_SCHEMA.format(name=name, key=key)
    return lab.sqlstate(query) or lab.sql(query)


COUNTED = [["sales", 1], ["stock", 2]]


@behavior(
    "16/any-value",
    title="any_value returns an arbitrary value of the group",
    area="sql",
    source=SOURCE,
    manual=AGGREGATES,
    isolation="transaction",
    expect={"<16": "42883", ">=16": COUNTED},
    note="In the report's query, all rows of a group have the same schema name.",
)
def any_value(lab):
    return tables_by_schema(lab, name="any_value(n.nspname)::text", key="c.relnamespace")


@behavior(
    "16/any-value-missing",
    title="Without any_value, a column that is not in GROUP BY is refused",
    area="sql",
    source=SOURCE,
    manual="queries-table-expressions#QUERIES-GROUP",
    isolation="transaction",
    expect={"all": "42803"},
)
def any_value_missing(lab):
    return tables_by_schema(lab, name="n.nspname", key="c.relnamespace")


@behavior(
    "14/group-by-catalog-primary-key",
    title="A query grouped by a system catalog's primary key can select its other columns",
    area="sql",
    source=SOURCE,
    manual="sql-select#SQL-GROUPBY",
    isolation="transaction",
    expect={"<14": "42803", ">=14": COUNTED},
    note=(
        "The report says that earlier versions could do this. They can with a table's declared primary key;"
        " system catalogs have declared ones since 14."
    ),
)
def group_by_catalog_primary_key(lab):
    return tables_by_schema(lab, name="n.nspname::text", key="n.oid")


@behavior(
    "9.1/group-by-primary-key",
    title="A query grouped by a table's primary key can select its other columns",
    area="sql",
    source=SOURCE,
    manual="sql-select#SQL-GROUPBY",
    isolation="transaction",
    expect={"all": [["bolt", 2], ["nut", 1]]},
    note="The report compares any_value with this feature of 9.1.",
)
def group_by_primary_key(lab):
    lab.sql("CREATE TABLE item (id int PRIMARY KEY, name text)")
    lab.sql("CREATE TABLE sale (item_id int)")
    lab.sql("INSERT INTO item VALUES (1, 'bolt'), (2, 'nut')")
    lab.sql("INSERT INTO sale VALUES (1), (1), (2)")
    return lab.sql(
        "SELECT i.name, count(*) FROM item i JOIN sale s ON s.item_id = i.id GROUP BY i.id ORDER BY i.id"
    )


ROWS = "FROM (VALUES (1, 'a', NULL), (2, 'a', 10), (3, 'b', 20), (4, 'c', NULL)) r(id, grp, v)"


@behavior(
    "16/any-value-nulls",
    title="any_value ignores NULLs, and returns NULL only if there is no other value",
    area="sql",
    source=SOURCE,
    manual=AGGREGATES,
    isolation="transaction",
    expect={"<16": "42883", ">=16": [["a", 10], ["b", 20], ["c", None]]},
)
def any_value_nulls(lab):
    query = f"SELECT grp, any_value(v) {ROWS} GROUP BY grp ORDER BY grp"
    return lab.sqlstate(query) or lab.sql(query)


@behavior(
    "16/any-value-no-rows",
    title="any_value of no rows is NULL",
    area="sql",
    source=SOURCE,
    manual=AGGREGATES,
    isolation="transaction",
    expect={"<16": "42883", ">=16": None},
)
def any_value_no_rows(lab):
    return lab.value_or_sqlstate(f"SELECT any_value(v) {ROWS} WHERE id > 4")


@behavior(
    "16/any-value-order-by",
    title="any_value with ORDER BY returns the first value in that order",
    area="sql",
    source=SOURCE,
    manual=AGGREGATES,
    isolation="transaction",
    expect={"<16": "42883", ">=16": 20},
    note="Without ORDER BY, the value is arbitrary.",
)
def any_value_order_by(lab):
    return lab.value_or_sqlstate(f"SELECT any_value(v ORDER BY v DESC) {ROWS} WHERE v IS NOT NULL")


@behavior(
    "16/any-value-window",
    title="any_value can be a window function",
    area="sql",
    source=SOURCE,
    manual=AGGREGATES,
    isolation="transaction",
    expect={"<16": "42883", ">=16": [[1, None], [2, 10], [3, 20], [4, None]]},
)
def any_value_window(lab):
    query = f"SELECT id, any_value(v) OVER (PARTITION BY grp ORDER BY id) {ROWS} ORDER BY id"
    return lab.sqlstate(query) or lab.sql(query)
