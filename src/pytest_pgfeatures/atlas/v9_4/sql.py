"""SQL: CHECK OPTION, FILTER and REFRESH ... CONCURRENTLY, from part 2 of the PostgreSQL 9.4 verification report."""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 9.4 verification report"

# --- WITH CHECK OPTION -------------------------------------------------------------------------------------


@behavior(
    "9.4/view-check-option",
    title="WITH CHECK OPTION refuses rows that an updatable view would not show",
    area="sql",
    source=f"{REPORT}, SQL (1)",
    manual="sql-createview",
    isolation="transaction",
    expect={
        "<9.4": "0A000",
        ">=9.4": {"INSERT 10": None, "INSERT -100": "44000", "UPDATE to -10": "44000"},
    },
    note="9.3 parses the clause, and says that it isn't implemented. The report shows the INSERTs.",
)
def view_check_option(lab):
    lab.sql("CREATE TABLE t_num (num int)")
    if refused := lab.sqlstate(
        "CREATE VIEW v_natural AS SELECT num FROM t_num WHERE num > 0 WITH CASCADED CHECK OPTION"
    ):
        return refused
    return {
        "INSERT 10": lab.sqlstate("INSERT INTO v_natural VALUES (10)"),
        "INSERT -100": lab.sqlstate("INSERT INTO v_natural VALUES (-100)"),
        "UPDATE to -10": lab.sqlstate("UPDATE v_natural SET num = -10"),
    }


@behavior(
    "9.4/view-check-option-local",
    title="LOCAL checks a view's own condition, CASCADED those of the views below as well",
    area="sql",
    source=f"{REPORT}, SQL (1)",
    manual="sql-createview",
    isolation="transaction",
    expect={
        "<9.4": "0A000",
        ">=9.4": {"LOCAL": None, "CASCADED": "44000"},
    },
    note="The row is -2: the upper view wants even numbers; the lower wants positive ones, without CHECK OPTION.",
)
def view_check_option_local(lab):
    lab.sql("CREATE TABLE t_num (num int)")
    lab.sql("CREATE VIEW v_natural AS SELECT num FROM t_num WHERE num > 0")
    answers = {}
    for option in ("LOCAL", "CASCADED"):
        view = f"CREATE VIEW v_{option} AS SELECT num FROM v_natural WHERE num % 2 = 0"
        if refused := lab.sqlstate(f"{view} WITH {option} CHECK OPTION"):
            return refused
        answers[option] = lab.sqlstate(f"INSERT INTO v_{option} VALUES (-2)")
    return answers


# --- FILTER ------------------------------------------------------------------------------------------------

SALES = """
    SELECT to_char(date_trunc('month', ts), 'YYYY-MM') AS month,
           coalesce(sum(amount) FILTER (WHERE iid = 1), 0)::int AS sales_i1,
           coalesce(sum(amount) FILTER (WHERE cid = 1), 0)::int AS sales_c1,
           coalesce(sum(amount), 0)::int AS sales_all
    FROM t_sale GROUP BY date_trunc('month', ts) ORDER BY 1
"""


def create_sales(lab):
    """Create the report's table of sales: time, item, customer and amount."""
    lab.sql("CREATE TABLE t_sale (ts timestamp, iid int, cid int, amount int)")
    lab.sql(
        """
        INSERT INTO t_sale VALUES ('2014-01-05', 1, 1, 100), ('2014-01-20', 2, 1, 20), ('2014-01-31', 1, 2, 3),
                                  ('2014-02-01', 2, 2, 7)
        """
    )


@behavior(
    "9.4/aggregate-filter",
    title="FILTER limits the rows that an aggregate takes",
    area="sql",
    source=f"{REPORT}, SQL (1)",
    manual="sql-expressions#SYNTAX-AGGREGATES",
    isolation="transaction",
    expect={"<9.4": "42601", ">=9.4": [["2014-01", 103, 120, 123], ["2014-02", 0, 0, 7]]},
    note="The report's query.",
)
def aggregate_filter(lab):
    create_sales(lab)
    return lab.sqlstate(SALES) or lab.sql(SALES)


@behavior(
    "9.4/aggregate-filter-plan",
    title="Aggregates with different FILTERs share one scan",
    area="sql",
    source=f"{REPORT}, SQL (1)",
    manual="sql-expressions#SYNTAX-AGGREGATES",
    isolation="transaction",
    expect={"<9.4": "42601", ">=9.4": {"Aggregate": 1, "Seq Scan": 1}},
    note="The number of nodes in the plan of the report's query.",
)
def aggregate_filter_plan(lab):
    create_sales(lab)
    if refused := lab.sqlstate(SALES):
        return refused
    plan = lab.explain(SALES)
    return {"Aggregate": plan.count("*Aggregate"), "Seq Scan": plan.count("Seq Scan")}


# --- REFRESH MATERIALIZED VIEW CONCURRENTLY ----------------------------------------------------------------


def create_view(lab, definition="SELECT g AS id, g * 2 AS v FROM generate_series(1, 100) g"):
    lab.sql(f"CREATE MATERIALIZED VIEW m_view AS {definition}")


@behavior(
    "9.4/refresh-concurrently-unique-index",
    title="REFRESH MATERIALIZED VIEW CONCURRENTLY needs a unique index",
    area="sql",
    source=f"{REPORT}, SQL (3)",
    manual="sql-refreshmaterializedview",
    expect={
        "<9.4": "42601",
        ">=9.4": {
            "no index": "55000",
            "index": "55000",
            "partial unique index": "55000",
            "unique index": None,
        },
    },
)
def refresh_concurrently_unique_index(lab):
    create_view(lab)
    refresh = "REFRESH MATERIALIZED VIEW CONCURRENTLY m_view"
    answers = {"no index": lab.sqlstate(refresh)}
    if answers["no index"] == "42601":
        return "42601"
    for kind, index in (
        ("index", "CREATE INDEX ON m_view (id)"),
        ("partial unique index", "CREATE UNIQUE INDEX ON m_view (id) WHERE id > 0"),
        ("unique index", "CREATE UNIQUE INDEX ON m_view (id)"),
    ):
        lab.sql(index)
        answers[kind] = lab.sqlstate(refresh)
    return answers


def reader_during(lab, refresh):
    """Run a SELECT with 20 ms of lock_timeout while a transaction has refreshed the view, but not committed."""
    reader = lab.session("reader")
    reader.sql("SET lock_timeout = '20ms'")
    lab.sql("BEGIN")
    refused = lab.sqlstate(refresh)
    seen = reader.value_or_sqlstate("SELECT count(*)::int FROM m_view")
    lab.sql("ROLLBACK")
    return refused or seen


@behavior(
    "9.4/refresh-concurrently",
    title="REFRESH MATERIALIZED VIEW CONCURRENTLY lets queries read the view meanwhile",
    area="sql",
    source=f"{REPORT}, SQL (3)",
    manual="sql-refreshmaterializedview",
    expect={
        "<9.4": {"REFRESH": "55P03", "CONCURRENTLY": "42601"},
        ">=9.4": {"REFRESH": "55P03", "CONCURRENTLY": 100},
    },
    note="A SELECT of the view's 100 rows, with lock_timeout set.",
)
def refresh_concurrently(lab):
    create_view(lab)
    lab.sql("CREATE UNIQUE INDEX ON m_view (id)")
    return {
        "REFRESH": reader_during(lab, "REFRESH MATERIALIZED VIEW m_view"),
        "CONCURRENTLY": reader_during(lab, "REFRESH MATERIALIZED VIEW CONCURRENTLY m_view"),
    }


@behavior(
    "9.4/refresh-concurrently-unpopulated",
    title="A materialized view that was never populated can't be refreshed CONCURRENTLY",
    area="sql",
    source=f"{REPORT}, SQL (3)",
    manual="sql-refreshmaterializedview",
    expect={"<9.4": "42601", ">=9.4": "0A000"},
)
def refresh_concurrently_unpopulated(lab):
    lab.sql("CREATE MATERIALIZED VIEW m_view AS SELECT 1 AS id WITH NO DATA")
    lab.sql("CREATE UNIQUE INDEX ON m_view (id)")
    return lab.sqlstate("REFRESH MATERIALIZED VIEW CONCURRENTLY m_view")
