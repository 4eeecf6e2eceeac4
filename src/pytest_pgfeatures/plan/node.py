"""One node of a plan, and the typed names of what EXPLAIN says about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pytest_pgfeatures.plan.flat import flattened, nested
from pytest_pgfeatures.plan.label import label

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")


class Key(Generic[T]):
    """An attribute that reads one key of EXPLAIN's output; None where the server did not say it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, node: None, owner: type) -> Key[T]: ...
    @overload
    def __get__(self, node: Node, owner: type) -> T | None: ...
    def __get__(self, node: Node | None, owner: type) -> Key[T] | T | None:
        return self if node is None else node.data.get(self.name)


class Flag:
    """An attribute that reads a truth value; False where the server did not say it (TEXT says only True)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, node: None, owner: type) -> Flag: ...
    @overload
    def __get__(self, node: Node, owner: type) -> bool: ...
    def __get__(self, node: Node | None, owner: type) -> Flag | bool:
        return self if node is None else bool(node.data.get(self.name, False))


class Node:
    """One node of a plan.

    ``node["Any Key"]`` is everything the server said, by FORMAT JSON's key, so that nothing a newer major
    adds is lost; the attributes are the same under Python names, None where absent.
    See https://www.postgresql.org/docs/current/using-explain.html.

    Parameters:
        data: the node's keys as FORMAT JSON has them, its children under ``Plans`` included.
        parent: the node above it, None for a root.
    """

    __slots__ = ("_children", "_label", "_text", "data", "parent")

    def __init__(self, data: dict[str, Any], parent: Node | None = None) -> None:
        self.data = data
        self.parent = parent
        self._children: tuple[Node, ...] | None = None
        self._label: str | None = None
        self._text: str | None = None

    @property
    def label(self) -> str:
        """What text EXPLAIN calls the node: ``Parallel Hash Full Join``, ``Index Scan Backward``."""
        if self._label is None:
            self._label = label(self.data)
        return self._label

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes below it, InitPlans and SubPlans included, in EXPLAIN's order."""
        if self._children is None:
            self._children = tuple(Node(child, self) for child in self.data.get("Plans", ()))
        return self._children

    @property
    def nodes(self) -> Iterator[Node]:
        """The node and all below it, in the order in which EXPLAIN prints them."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def ancestors(self) -> Iterator[Node]:
        """The nodes above it, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def find(self, selector: str) -> list[Node]:
        """The nodes that ``selector`` selects among this one and those below it, in EXPLAIN's order."""
        from pytest_pgfeatures.plan.selector import select

        return select(tuple(self.nodes), selector)

    def matches(self, selector: str) -> bool:
        """Whether ``selector`` selects this node, its place in the whole tree considered."""
        from pytest_pgfeatures.plan.selector import select

        root = next(reversed(tuple(self.ancestors)), self)
        return any(node is self for node in select(tuple(root.nodes), selector))

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __contains__(self, key: object) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = None) -> Any:
        """What the server said under ``key``, spelled as in FORMAT JSON, or ``default``."""
        return self.data.get(key, default)

    @property
    def text(self) -> str:
        """The node and all below it as text EXPLAIN prints them, spelled as the newest major does."""
        if self._text is None:
            from pytest_pgfeatures.plan.render import carried_by_node

            self._text = carried_by_node(self.data)
        return self._text

    def __eq__(self, other: object) -> bool:
        """Whether text EXPLAIN would say the same of both, and of all below them."""
        return self.text == other.text if isinstance(other, Node) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        where = next((f" on {name}" for name in (self.relation, self.index, self.alias) if name), "")
        return f"<Node {self.label}{where}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (flattened(self.data),)

    # What kind of node
    type = Key[str]("Node Type")
    strategy = Key[str]("Strategy")
    partial_mode = Key[str]("Partial Mode")
    operation = Key[str]("Operation")
    command = Key[str]("Command")
    join_type = Key[str]("Join Type")
    scan_direction = Key[str]("Scan Direction")
    parent_relationship = Key[str]("Parent Relationship")
    subplan_name = Key[str]("Subplan Name")
    custom_plan_provider = Key[str]("Custom Plan Provider")
    parallel_aware = Flag("Parallel Aware")
    async_capable = Flag("Async Capable")
    disabled = Flag("Disabled")
    inner_unique = Flag("Inner Unique")
    single_copy = Flag("Single Copy")
    # What it works on
    relation = Key[str]("Relation Name")
    schema = Key[str]("Schema")
    alias = Key[str]("Alias")
    index = Key[str]("Index Name")
    cte = Key[str]("CTE Name")
    function = Key[str]("Function Name")
    table_function = Key[str]("Table Function Name")
    tuplestore = Key[str]("Tuplestore Name")
    # What the planner expects: costs in the planner's unit, rows, bytes
    startup_cost = Key[float]("Startup Cost")
    total_cost = Key[float]("Total Cost")
    rows = Key[int]("Plan Rows")
    width = Key[int]("Plan Width")
    workers_planned = Key[int]("Workers Planned")
    planned_partitions = Key[int]("Planned Partitions")
    # What happened: milliseconds, rows per loop
    actual_startup_time = Key[float]("Actual Startup Time")
    actual_total_time = Key[float]("Actual Total Time")
    actual_rows = Key[float]("Actual Rows")
    loops = Key[float]("Actual Loops")
    workers_launched = Key[int]("Workers Launched")
    workers = Key["list[dict[str, Any]]"]("Workers")
    rows_removed_by_filter = Key[float]("Rows Removed by Filter")
    rows_removed_by_join_filter = Key[float]("Rows Removed by Join Filter")
    rows_removed_by_index_recheck = Key[float]("Rows Removed by Index Recheck")
    heap_fetches = Key[int]("Heap Fetches")
    index_searches = Key[int]("Index Searches")
    exact_heap_blocks = Key[int]("Exact Heap Blocks")
    lossy_heap_blocks = Key[int]("Lossy Heap Blocks")
    subplans_removed = Key[int]("Subplans Removed")
    sort_method = Key[str]("Sort Method")
    sort_space_used = Key[int]("Sort Space Used")
    sort_space_type = Key[str]("Sort Space Type")
    hash_batches = Key[int]("Hash Batches")
    hash_buckets = Key[int]("Hash Buckets")
    peak_memory_usage = Key[int]("Peak Memory Usage")
    disk_usage = Key[int]("Disk Usage")
    storage = Key[str]("Storage")
    maximum_storage = Key[int]("Maximum Storage")
    cache_hits = Key[int]("Cache Hits")
    cache_misses = Key[int]("Cache Misses")
    # Conditions and keys, as ruleutils prints expressions
    output = Key["list[str]"]("Output")
    filter = Key[str]("Filter")
    index_cond = Key[str]("Index Cond")
    recheck_cond = Key[str]("Recheck Cond")
    tid_cond = Key[str]("TID Cond")
    order_by = Key[str]("Order By")
    join_filter = Key[str]("Join Filter")
    hash_cond = Key[str]("Hash Cond")
    merge_cond = Key[str]("Merge Cond")
    one_time_filter = Key[str]("One-Time Filter")
    run_condition = Key[str]("Run Condition")
    window = Key[str]("Window")
    sort_key = Key["list[str]"]("Sort Key")
    presorted_key = Key["list[str]"]("Presorted Key")
    group_key = Key["list[str]"]("Group Key")
    grouping_sets = Key["list[dict[str, Any]]"]("Grouping Sets")
    cache_key = Key[str]("Cache Key")
    cache_mode = Key[str]("Cache Mode")
    function_call = Key[str]("Function Call")
    sampling_method = Key[str]("Sampling Method")
    sampling_parameters = Key["list[str]"]("Sampling Parameters")
    target_tables = Key["list[dict[str, Any]]"]("Target Tables")
    conflict_resolution = Key[str]("Conflict Resolution")
    conflict_arbiter_indexes = Key["list[str]"]("Conflict Arbiter Indexes")
    conflict_filter = Key[str]("Conflict Filter")
    remote_sql = Key[str]("Remote SQL")


def _rebuilt(flat: list[tuple[int, dict[str, Any]]]) -> Node:
    return Node(nested(flat))


ATTRIBUTES: dict[str, str] = {
    name: value.name for name, value in vars(Node).items() if isinstance(value, Key | Flag)
}
"""The Python name of each typed attribute, and the key of FORMAT JSON that it reads."""
