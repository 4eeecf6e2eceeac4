"""A plan as text EXPLAIN prints it, character for character.

FORMAT JSON has the keys of a node in the order in which FORMAT TEXT prints its lines, so that one walk over
the keys writes the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.context import Context, nodes
from pytest_pgfeatures.plan.heading import heading
from pytest_pgfeatures.plan.properties import WRITERS, older_workers, plain, write_properties
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, VersionSet, read_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.plan.context import Zeros
    from pytest_pgfeatures.plan.plan import Plan

STATEMENTS = {"Utility Statement": ["Utility statements have no plan structure"], "Notify": ["NOTIFY"]}
"""What text says of a statement without a plan, by its name in FORMAT JSON. Of others it says nothing."""
_LOWER_CASE_TIME = VersionSet("<11")
"""Servers that write ``Planning time``: 11 made it ``Planning Time``."""


def render(plan: Plan, *, version: PgMajor | PgVersion | str | int | None = None) -> str:
    """The text that the server prints for ``plan`` with the same options.

    Parameters:
        plan: from FORMAT JSON or FORMAT TEXT.
        version: the server's major or release, where neither ``plan.major`` nor the keys tell it.

    Returns:
        Lines without a newline at the end, as psql shows them between its header and its row count.
    """
    if not plan.queries:
        return "Query rewrites to nothing"
    known = plan.major if version is None else read_version(version).major
    if plan.written_by is None:
        return _text(plan, known, "likely")
    return _text(plan, known or plan.written_by, "said")


def carried(plan: Plan) -> str:
    """The text of what both formats carry, spelled alike for every major: equal plans have equal ones."""
    return _text(plan, MAJORS[-1], "never") if plan.queries else ""


def carried_by_node(data: dict[str, Any]) -> str:
    """As :func:`carried`, of one node and all below it."""
    lines: list[str] = []
    tree(data, lines, Context({"Plan": data}, MAJORS[-1], "never"))
    return "\n".join(lines)


def about_query(query: Any) -> list[str]:
    """The lines after a query's tree; of a statement that has no plan, what text says of it."""
    if isinstance(query, str):
        return list(STATEMENTS.get(query, (query,)))
    lines: list[str] = []
    _write(
        {key: value for key, value in query.items() if key != "Plan"},
        lines,
        Context(query, MAJORS[-1], "said"),
    )
    return lines


def _text(plan: Plan, major: PgMajor | None, zeros: Zeros) -> str:
    lines: list[str] = []
    for number, query in enumerate(plan.queries):
        if number:
            lines.append("")
        if isinstance(query, dict):
            _write(query, lines, Context(query, major, zeros))
        else:
            lines.extend(STATEMENTS.get(query, ()))
    return "\n".join(lines)


def _write(query: dict[str, Any], lines: list[str], context: Context) -> None:
    """Append the lines of what EXPLAIN says of a query, in its order."""
    for key, value in query.items():
        write = QUERY_WRITERS.get(key)
        if write is not None:
            try:
                write(value, lines, context)
                continue
            except (AttributeError, KeyError, TypeError, ValueError):  # as in write_properties
                pass
        lines.append(f"{key}: {plain(key, value)}")


def tree(root: dict[str, Any], lines: list[str], context: Context) -> None:
    """Append the lines of a node and of all below it."""
    waiting = [(root, 0)]
    while waiting:
        data, indent = waiting.pop()
        name = data.get("Subplan Name")
        if name is not None and (indent or data is not root):
            lines.append("  " * indent + name)
            indent += 1
        if indent:
            lines.append("  " * indent + "->  " + heading(data, context))
            indent += 3
        else:
            lines.append(heading(data, context))
            indent = 1
        write_properties(data, "  " * indent, lines, context)
        if context.before_13 and "Workers" in data:
            older_workers(data["Workers"], "  " * indent, lines, context)
        children = data.get("Plans")
        if children:
            waiting.extend([(child, indent) for child in reversed(children)])


def settings(value: Any, lines: list[str], context: Context) -> None:
    said = [f"{name} = NULL" if chosen is None else f"{name} = '{chosen}'" for name, chosen in value.items()]
    if said:
        lines.append(f"Settings: {', '.join(said)}")


def planning(value: Any, lines: list[str], context: Context) -> None:
    said: list[str] = []
    write_properties(value, "  ", said, context)
    if said:
        lines.extend(("Planning:", *said))


def milliseconds(name: str, older: str) -> Callable[[Any, list[str], Context], None]:
    def write(value: Any, lines: list[str], context: Context) -> None:
        lines.append(f"{older if _LOWER_CASE_TIME.covers(context.major) else name}: {value:.3f} ms")

    return write


def triggers(value: Any, lines: list[str], context: Context) -> None:
    show_relation = context.zeros == "said" or _several_relations(value, context.query)
    for trigger in value:
        name, constraint, relation = map(trigger.get, ("Trigger Name", "Constraint Name", "Relation"))
        line = "Trigger"
        if name is not None and (constraint is None or context.verbose):
            line += f" {name}"
        if constraint is not None:
            line += f" for constraint {constraint}"
        if relation is not None and show_relation:
            line += f" on {relation}"
        time = trigger.get("Time")
        line += ": " if time is None else f": time={time:.3f} "
        lines.append(f"{line}calls={trigger['Calls']:.0f}")


def _several_relations(fired: list[dict[str, Any]], query: dict[str, Any]) -> bool:
    """Whether text names each trigger's relation: the server does when it knows of more than one.

    JSON does not say so itself; the nodes that modify tell most of it.
    """
    relations = {trigger.get("Relation") for trigger in fired}
    modified = 0
    for data in nodes(query["Plan"]):
        if data["Node Type"] == "ModifyTable":
            targets = data.get("Target Tables", ())
            relations.update(table.get("Relation Name") for table in (data, *targets))
            modified += max(1, len(targets))
    return len(relations) > 1 or modified > 1


def jit(value: Any, lines: list[str], context: Context) -> None:
    write = WRITERS["JIT"]
    assert write is not None
    write({}, value, "", lines, context)


def serialization(value: Any, lines: list[str], context: Context) -> None:
    time = value.get("Time")
    line = "Serialization:" if time is None else f"Serialization: time={time:.3f} ms "
    lines.append(f"{line} output={value['Output Volume']}kB  format={value['Format']}")
    said = {key: spent for key, spent in value.items() if key not in ("Time", "Output Volume", "Format")}
    write_properties(said, "  ", lines, context)


QUERY_WRITERS: dict[str, Callable[[Any, list[str], Context], None]] = {
    "Plan": tree,
    "Settings": settings,
    "Planning": planning,
    "Planning Time": milliseconds("Planning Time", "Planning time"),
    "Triggers": triggers,
    "JIT": jit,
    "Serialization": serialization,
    "Execution Time": milliseconds("Execution Time", "Execution time"),
    "Total Runtime": milliseconds("Total runtime", "Total runtime"),
}
"""How text writes what EXPLAIN says about a whole query; any other key is ``Key: value``."""
