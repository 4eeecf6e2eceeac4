"""Plans: sections 4.1.1 to 4.1.3 of the PostgreSQL 16 verification report.

Experiments measure the speed. These behaviors show what doesn't depend on the machine: the shape of a plan,
and the rows that a node produces.
"""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"

# --- 4.1.1 Parallel query ----------------------------------------------------------------------------------


def create_arrows(lab, rows=10_000):
    """Create the report's table of references, without its random(), and a small table to join it with."""
    lab.sql("CREATE TABLE t_arrow (origin int, point_to int)")
    lab.sql(
        "INSERT INTO t_arrow SELECT g, (g::bigint * 7919) %% %s FROM generate_series(1, %s) g WHERE g %% 19 <> 0",
        [rows, rows],
    )
    lab.sql("CREATE TABLE t_small AS SELECT g AS id FROM generate_series(1, 600) g")
    lab.sql("ANALYZE t_arrow")
    lab.sql("ANALYZE t_small")


def prefer_parallel(lab):
    """Set the extra costs of parallel plans to zero, so that the planner takes one wherever it can."""
    lab.set(
        parallel_setup_cost=0,
        parallel_tuple_cost=0,
        min_parallel_table_scan_size="10kB",
        max_parallel_workers_per_gather=2,
    )


def prefer_hash_joins(lab):
    lab.set(enable_mergejoin=False, enable_nestloop=False)


def chain(plan):
    """Return the labels of a plan from its root to the first leaf: ``Aggregate > Gather > Parallel Seq Scan``."""
    labels, node = [], plan.root
    while node is not None:
        labels.append(node.label)
        node = node.children[0] if node.children else None
    return " > ".join(labels)


@behavior(
    "16/parallel-hash-full-join",
    title="FULL JOIN can run as a parallel hash join",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={"<16": "Hash Full Join", ">=16": "Parallel Hash Full Join"},
)
def parallel_hash_full_join(lab):
    create_arrows(lab)
    prefer_parallel(lab)
    prefer_hash_joins(lab)
    plan = lab.explain("SELECT count(*) FROM t_arrow o FULL JOIN t_arrow p ON o.origin = p.point_to")
    return plan.one("* Full Join").label


@behavior(
    "16/parallel-hash-right-join",
    title="RIGHT JOIN can run as a parallel hash join",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={"<16": "Hash Right Join", ">=16": "Parallel Hash Right Join"},
    note=(
        "The report joins a table with itself and gets Parallel Hash Right Join for its LEFT JOIN. With"
        " tables of one size its random data decides which side is hashed, and the released servers mostly"
        " choose Parallel Hash Left Join; so here the smaller table is joined to the larger one."
    ),
)
def parallel_hash_right_join(lab):
    create_arrows(lab)
    prefer_parallel(lab)
    prefer_hash_joins(lab)
    plan = lab.explain("SELECT count(*) FROM t_small s LEFT JOIN t_arrow o ON o.origin = s.id")
    return plan.one("* Right Join").label


@behavior(
    "16/forced-parallel-full-join",
    title="With debug_parallel_query, a FULL JOIN runs as a parallel hash join",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="runtime-config-developer#GUC-DEBUG-PARALLEL-QUERY",
    since="16",
    isolation="transaction",
    expect={
        "<9.6": "Aggregate > Hash Full Join",
        "9.6..15": "Gather > Aggregate > Hash Full Join",
        ">=16": "Finalize Aggregate > Gather > Partial Aggregate > Parallel Hash Full Join",
    },
    note=(
        "The report's own experiment. Up to 15 the setting is named force_parallel_mode, and one worker runs"
        " the whole query under a single-copy Gather; before 9.6 there is no parallel query."
    ),
)
def forced_parallel_full_join(lab):
    create_arrows(lab, 50_000)
    prefer_hash_joins(lab)
    lab.set(debug_parallel_query=True, min_parallel_table_scan_size="10kB", max_parallel_workers_per_gather=2)
    plan = lab.explain("SELECT count(*) FROM t_arrow o FULL JOIN t_arrow p ON o.origin = p.point_to")
    above = [node.label for node in plan.one("* Full Join").ancestors]
    return " > ".join([*reversed(above), plan.one("* Full Join").label])


PARTIAL_AGGREGATION = {
    "<9.6": "Aggregate > Seq Scan",
    "9.6..15": "Aggregate > Gather > Parallel Seq Scan",
    ">=16": "Finalize Aggregate > Gather > Partial Aggregate > Parallel Seq Scan",
}


def plan_of_aggregate(lab, aggregate):
    """Return the plan of an aggregate over the report's table, in which one row of a thousand has a flag."""
    lab.sql("CREATE TABLE t_agg_test (id int PRIMARY KEY, special_flg text)")
    lab.sql(
        "INSERT INTO t_agg_test SELECT g, CASE WHEN g % 1000 = 0 THEN chr(65 + g / 1000 % 26) END"
        " FROM generate_series(1, 20000) g"
    )
    lab.sql("ANALYZE t_agg_test")
    prefer_parallel(lab)
    return chain(lab.explain(f"SELECT {aggregate} FROM t_agg_test WHERE special_flg IS NOT NULL"))


@behavior(
    "16/parallel-string-agg",
    title="string_agg(text) is aggregated in parallel",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="functions-aggregate",
    since="16",
    isolation="transaction",
    expect=PARTIAL_AGGREGATION,
)
def parallel_string_agg(lab):
    return plan_of_aggregate(lab, "string_agg(special_flg, ',')")


@behavior(
    "16/parallel-string-agg-bytea",
    title="string_agg(bytea) is aggregated in parallel",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="functions-aggregate",
    since="16",
    isolation="transaction",
    expect=PARTIAL_AGGREGATION,
)
def parallel_string_agg_bytea(lab):
    return plan_of_aggregate(lab, "string_agg(special_flg::bytea, ','::bytea)")


@behavior(
    "16/parallel-array-agg",
    title="array_agg is aggregated in parallel",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="functions-aggregate",
    since="16",
    isolation="transaction",
    expect=PARTIAL_AGGREGATION,
)
def parallel_array_agg(lab):
    return plan_of_aggregate(lab, "array_agg(special_flg)")


@behavior(
    "16/parallel-array-agg-of-arrays",
    title="array_agg of arrays is aggregated in parallel",
    area="performance",
    source=f"{REPORT}, 4.1.1",
    manual="functions-aggregate",
    since="16",
    isolation="transaction",
    expect={
        "<9.5": "42704",
        "9.5": "Aggregate > Seq Scan",
        "9.6..15": "Aggregate > Gather > Parallel Seq Scan",
        ">=16": "Finalize Aggregate > Gather > Partial Aggregate > Parallel Seq Scan",
    },
    note="9.3 and 9.4 have no array_agg of arrays.",
)
def parallel_array_agg_of_arrays(lab):
    if refused := lab.sqlstate("SELECT array_agg(ARRAY['a'])"):
        return refused
    return plan_of_aggregate(lab, "array_agg(ARRAY[special_flg])")


# --- 4.1.2 SELECT DISTINCT with Incremental Sort -----------------------------------------------------------


def create_sort(lab):
    """Create the report's table, with an index that sorts it by two of three columns."""
    lab.sql("CREATE TABLE t_sort (num1 int, num2 int, num3 int, v text)")
    lab.sql("CREATE INDEX ON t_sort (num1, num2)")
    lab.sql(
        "INSERT INTO t_sort SELECT g / 1000, (g / 10) % 100, g % 10, 'v' FROM generate_series(1, 20000) g"
    )
    lab.sql("ANALYZE t_sort")


SORTS = ("Sort", "Incremental Sort")


def sort_of(plan):
    """Return the label of the plan's only sort node."""
    (label,) = (node.label for node in plan.nodes if node.label in SORTS)
    return label


@behavior(
    "13/order-by-incremental-sort",
    title="ORDER BY sorts incrementally when an index supplies a prefix",
    area="performance",
    source=f"{REPORT}, 4.1.2",
    manual="runtime-config-query#GUC-ENABLE-INCREMENTAL-SORT",
    isolation="transaction",
    expect={"<13": "Sort", ">=13": "Incremental Sort"},
    note="The report's comparison: ORDER BY has incremental sort since 13, SELECT DISTINCT since 16.",
)
def order_by_incremental_sort(lab):
    create_sort(lab)
    return sort_of(lab.explain("SELECT * FROM t_sort ORDER BY num1, num2, num3"))


@behavior(
    "16/distinct-on-incremental-sort",
    title="SELECT DISTINCT ON sorts incrementally when an index supplies a prefix",
    area="performance",
    source=f"{REPORT}, 4.1.2",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={"<16": "Sort", ">=16": "Incremental Sort"},
)
def distinct_on_incremental_sort(lab):
    create_sort(lab)
    return sort_of(lab.explain("SELECT DISTINCT ON (num1, num2, num3) * FROM t_sort"))


@behavior(
    "16/distinct-incremental-sort",
    title="SELECT DISTINCT sorts incrementally when an index supplies a prefix",
    area="performance",
    source=f"{REPORT}, 4.1.2",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={"<16": "Sort", ">=16": "Incremental Sort"},
    note="Without ON, the planner prefers hashing; enable_hashagg is off to see the sort.",
)
def distinct_incremental_sort(lab):
    create_sort(lab)
    lab.set(enable_hashagg=False)
    return sort_of(lab.explain("SELECT DISTINCT num1, num2, num3 FROM t_sort"))


# --- 4.1.3 Window functions --------------------------------------------------------------------------------


def create_scores(lab):
    """The report's scores of 100 students in three exams, without its random()."""
    lab.sql("CREATE TABLE t_score (sid int, examid int, score int)")
    lab.sql(
        "INSERT INTO t_score SELECT s, e, 60 + (s * 7919 + e) % 30"
        " FROM generate_series(1, 100) s, unnest(ARRAY[101, 102, 201]) e"
    )
    lab.sql("ANALYZE t_score")


def merged(lab, functions):
    """Return the functions for which one WindowAgg node computes both a RANGE and a ROWS frame."""
    create_scores(lab)
    window = "PARTITION BY examid ORDER BY score DESC"
    found = []
    for function in functions:
        plan = lab.explain(
            f"SELECT {function} OVER ({window} RANGE UNBOUNDED PRECEDING),\n"
            f"       row_number() OVER ({window} ROWS UNBOUNDED PRECEDING)\n"
            "FROM t_score"
        )
        if plan.count("WindowAgg") == 1:
            found.append(function)
    return found


RANKING = ["row_number()", "rank()", "dense_rank()", "percent_rank()", "cume_dist()", "ntile(10)"]


@behavior(
    "16/window-frames-merged",
    title="Ranking functions with different frames share one WindowAgg node",
    area="performance",
    source=f"{REPORT}, 4.1.3",
    manual="functions-window",
    isolation="transaction",
    expect={"<16": 3, ">=16": 1},
    note="The report's query. The value is the number of WindowAgg nodes.",
)
def window_frames_merged(lab):
    create_scores(lab)
    return lab.explain(
        """
        SELECT sid, examid, score,
               row_number() OVER (PARTITION BY examid ORDER BY score DESC) rn,
               rank() OVER (PARTITION BY examid ORDER BY score DESC
                            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) rnk,
               dense_rank() OVER (PARTITION BY examid ORDER BY score DESC
                                  RANGE BETWEEN CURRENT ROW AND CURRENT ROW) drnk
        FROM t_score ORDER BY sid, examid
        """
    ).count("WindowAgg")


@behavior(
    "16/window-range-to-rows",
    title="A ranking function's RANGE frame is computed as ROWS",
    area="performance",
    source=f"{REPORT}, 4.1.3",
    manual="functions-window",
    isolation="transaction",
    expect={"<16": [], ">=16": RANKING},
    note="The values are the functions for which this happens.",
)
def window_range_to_rows(lab):
    return merged(lab, RANKING)


@behavior(
    "16/window-range-kept",
    title="Functions whose result depends on the frame keep RANGE",
    area="performance",
    source=f"{REPORT}, 4.1.3",
    manual="functions-window",
    isolation="transaction",
    expect={"all": []},
    note="The report names six functions that change to ROWS; these are some of the others.",
)
def window_range_kept(lab):
    return merged(lab, ["count(*)", "sum(score)", "first_value(score)", "last_value(score)"])


def stops_early(lab, conditions):
    """Return the functions for which a condition on the result becomes their WindowAgg node's Run Condition.

    The functions' values only grow from row to row, so that the node can stop once the condition is false.
    """
    create_scores(lab)
    found = []
    for function, condition in conditions.items():
        plan = lab.explain(
            f"SELECT * FROM (SELECT *, {function} OVER (ORDER BY score DESC) x FROM t_score) s\n"
            f"WHERE x {condition}"
        )
        if plan.one("WindowAgg").run_condition is not None:
            found.append(function)
    return found


@behavior(
    "15/window-run-condition",
    title="WindowAgg stops when a condition on row_number, rank, dense_rank or count(*) is false",
    area="performance",
    source=f"{REPORT}, 4.1.3",
    manual="release-15#RELEASE-15-PERFORMANCE",
    isolation="transaction",
    expect={"<15": [], ">=15": ["row_number()", "rank()", "dense_rank()", "count(*)"]},
    note=(
        "The report says that 15 does this for row_number, rank and count; dense_rank is another."
        " count of a column is left out: whether it has a Run Condition differs between minor releases."
    ),
)
def window_run_condition_15(lab):
    return stops_early(
        lab, {"row_number()": "<= 3", "rank()": "<= 3", "dense_rank()": "<= 3", "count(*)": "<= 3"}
    )


@behavior(
    "16/window-run-condition",
    title="WindowAgg stops when a condition on ntile, cume_dist or percent_rank is false",
    area="performance",
    source=f"{REPORT}, 4.1.3",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={"<16": [], ">=16": ["ntile(100)", "cume_dist()", "percent_rank()"]},
)
def window_run_condition_16(lab):
    return stops_early(lab, {"ntile(100)": "<= 3", "cume_dist()": "<= 0.5", "percent_rank()": "<= 0.5"})


@behavior(
    "16/window-rows-produced",
    title="WindowAgg produces only the rows that meet a condition on ntile",
    area="performance",
    source=f"{REPORT}, 4.1.3",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={"<16": {"WindowAgg": 300, "result": 9}, ">=16": {"WindowAgg": 9, "result": 9}},
    note="Rows as EXPLAIN ANALYZE counts them: the best three of a hundred parts of 300 rows.",
)
def window_rows_produced(lab):
    create_scores(lab)
    plan = lab.explain(
        "SELECT * FROM (SELECT *, ntile(100) OVER (ORDER BY score DESC) nt FROM t_score) s WHERE nt <= 3",
        analyze=True,
        timing=False,
    )
    return {"WindowAgg": int(plan.one("WindowAgg").actual_rows), "result": int(plan.root.actual_rows)}
