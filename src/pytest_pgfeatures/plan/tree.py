"""The nodes of a plan as a tree: what EXPLAIN says about each one, under typed names.

This module knows the tree alone. Selecting, comparing and printing are in the modules above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pytest_pgfeatures.plan.label import label

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

T = TypeVar("T")

DEEPEST = 5000
"""The greatest depth of a node, that of a root being 0. Text indents each level, so deeper plans are refused."""


class Key(Generic[T]):
    """An attribute that reads one key of EXPLAIN's output; None if the server printed no such key."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, node: None, owner: type) -> Key[T]: ...
    @overload
    def __get__(self, node: TreeNode, owner: type) -> T | None: ...
    def __get__(self, node: TreeNode | None, owner: type) -> Key[T] | T | None:
        return self if node is None else node.data.get(self.name)


class Flag:
    """An attribute that reads a Boolean key; False if the server printed no such key (TEXT prints only true)."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, node: None, owner: type) -> Flag: ...
    @overload
    def __get__(self, node: TreeNode, owner: type) -> bool: ...
    def __get__(self, node: TreeNode | None, owner: type) -> Flag | bool:
        return self if node is None else bool(node.data.get(self.name, False))


class TreeNode:
    """A node with its keys, its parent and its children; :class:`pytest_pgfeatures.plan.Node` builds on it.

    Parameters:
        data: the node's keys as in FORMAT JSON, its children under ``Plans``.
        parent: the node above; None for a root.
    """

    __slots__ = ("_children", "_label", "data", "parent")

    data: dict[str, Any]
    parent: Self | None

    def __init__(self, data: dict[str, Any], parent: Self | None = None) -> None:
        self.data = data
        self.parent = parent
        self._children: tuple[Self, ...] | None = None
        self._label: str | None = None

    @property
    def label(self) -> str:
        """The node's name in text EXPLAIN: ``Parallel Hash Full Join``, ``Index Scan Backward``."""
        if self._label is None:
            self._label = label(self.data)
        return self._label

    @property
    def children(self) -> tuple[Self, ...]:
        """The nodes directly below, InitPlans and SubPlans included, in EXPLAIN's order."""
        if self._children is None:
            self._children = tuple(type(self)(child, self) for child in self.data.get("Plans", ()))
        return self._children

    @property
    def nodes(self) -> Iterator[Self]:
        """This node and all nodes below it, in the order in which EXPLAIN prints them."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def ancestors(self) -> Iterator[Self]:
        """The nodes above this one, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def __getitem__(self, key: str) -> Any:
        """The value that EXPLAIN printed under ``key``, spelled as in FORMAT JSON.

        Raises:
            KeyError: EXPLAIN printed no such key.
        """
        return self.data[key]

    def __contains__(self, key: object) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = None) -> Any:
        """The value that EXPLAIN printed under ``key``, or ``default`` if it printed none."""
        return self.data.get(key, default)

    # Node type
    type = Key[str]("Node Type")
    strategy = Key[str]("Strategy")
    partial_mode = Key[str]("Partial Mode")  # since 9.6
    operation = Key[str]("Operation")
    command = Key[str]("Command")
    join_type = Key[str]("Join Type")
    scan_direction = Key[str]("Scan Direction")
    parent_relationship = Key[str]("Parent Relationship")
    subplan_name = Key[str]("Subplan Name")
    custom_plan_provider = Key[str]("Custom Plan Provider")
    parallel_aware = Flag("Parallel Aware")  # since 9.6
    async_capable = Flag("Async Capable")  # since 14
    disabled = Flag("Disabled")  # since 18
    inner_unique = Flag("Inner Unique")  # since 10
    single_copy = Flag("Single Copy")  # since 9.6
    # Object scanned or modified
    relation = Key[str]("Relation Name")
    schema = Key[str]("Schema")
    alias = Key[str]("Alias")
    index = Key[str]("Index Name")
    cte = Key[str]("CTE Name")
    function = Key[str]("Function Name")
    table_function = Key[str]("Table Function Name")  # since 10
    tuplestore = Key[str]("Tuplestore Name")  # since 10
    # Estimates: costs in units of seq_page_cost, rows, bytes per row
    startup_cost = Key[float]("Startup Cost")
    total_cost = Key[float]("Total Cost")
    rows = Key[int]("Plan Rows")
    width = Key[int]("Plan Width")
    workers_planned = Key[int]("Workers Planned")  # since 9.6
    planned_partitions = Key[int]("Planned Partitions")  # since 13
    # ANALYZE: milliseconds and rows per loop, memory and disk in kB
    actual_startup_time = Key[float]("Actual Startup Time")
    actual_total_time = Key[float]("Actual Total Time")
    actual_rows = Key[float]("Actual Rows")
    loops = Key[float]("Actual Loops")
    workers_launched = Key[int]("Workers Launched")  # since 9.6
    workers = Key["list[dict[str, Any]]"]("Workers")
    rows_removed_by_filter = Key[float]("Rows Removed by Filter")
    rows_removed_by_join_filter = Key[float]("Rows Removed by Join Filter")
    rows_removed_by_index_recheck = Key[float]("Rows Removed by Index Recheck")
    heap_fetches = Key[int]("Heap Fetches")
    index_searches = Key[int]("Index Searches")  # since 18
    exact_heap_blocks = Key[int]("Exact Heap Blocks")  # since 9.4
    lossy_heap_blocks = Key[int]("Lossy Heap Blocks")  # since 9.4
    subplans_removed = Key[int]("Subplans Removed")  # since 11
    sort_method = Key[str]("Sort Method")
    sort_space_used = Key[int]("Sort Space Used")
    sort_space_type = Key[str]("Sort Space Type")
    hash_batches = Key[int]("Hash Batches")
    hash_buckets = Key[int]("Hash Buckets")
    peak_memory_usage = Key[int]("Peak Memory Usage")
    disk_usage = Key[int]("Disk Usage")  # since 13
    storage = Key[str]("Storage")  # since 18
    maximum_storage = Key[int]("Maximum Storage")  # since 18
    cache_hits = Key[int]("Cache Hits")  # since 14
    cache_misses = Key[int]("Cache Misses")  # since 14
    # Conditions and keys, as the server deparses them
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
    run_condition = Key[str]("Run Condition")  # since 15
    window = Key[str]("Window")  # since 18
    sort_key = Key["list[str]"]("Sort Key")
    presorted_key = Key["list[str]"]("Presorted Key")  # since 13
    group_key = Key["list[str]"]("Group Key")
    grouping_sets = Key["list[dict[str, Any]]"]("Grouping Sets")  # since 9.5
    cache_key = Key[str]("Cache Key")  # since 14
    cache_mode = Key[str]("Cache Mode")  # since 14
    function_call = Key[str]("Function Call")
    sampling_method = Key[str]("Sampling Method")  # since 9.5
    sampling_parameters = Key["list[str]"]("Sampling Parameters")  # since 9.5
    target_tables = Key["list[dict[str, Any]]"]("Target Tables")  # since 9.5
    conflict_resolution = Key[str]("Conflict Resolution")  # since 9.5
    conflict_arbiter_indexes = Key["list[str]"]("Conflict Arbiter Indexes")  # since 9.5
    conflict_filter = Key[str]("Conflict Filter")  # since 9.5
    remote_sql = Key[str]("Remote SQL")


ATTRIBUTES: dict[str, str] = {
    name: value.name for name, value in vars(TreeNode).items() if isinstance(value, Key | Flag)
}
"""The key of FORMAT JSON that each typed attribute reads."""
