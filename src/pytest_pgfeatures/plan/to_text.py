"""The queries of a plan to text, character for character as EXPLAIN prints them.

FORMAT JSON has the keys of a node in the order in which FORMAT TEXT prints their lines, so one pass over the keys
writes the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.context import Context, nodes
from pytest_pgfeatures.plan.majors import NEWEST
from pytest_pgfeatures.plan.node_line import node_line
from pytest_pgfeatures.plan.properties import UNEXPECTED, WRITERS, older_workers, plain, write_properties

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pgfeatures.plan.context import Zeros

STATEMENTS = {"Utility Statement": ["Utility statements have no plan structure"], "Notify": ["NOTIFY"]}
"""The text of a statement without a plan, by its name in FORMAT JSON; others have none."""
NOTHING = "Query rewrites to nothing"
"""The text if rules left no query."""


def explain_text(queries: Sequence[Any], major: str | None, written_by: str | None) -> str:
    """The text that the server prints, without a newline at the end.

    Parameters:
        queries: as in FORMAT JSON.
        major: the server's major, if known.
        written_by: the newest major that could have printed the text that the plan was read from; None if it was
            read from JSON.
    """
    if not queries:
        return NOTHING
    if written_by is None:
        return _text(queries, major, "likely")
    return _text(queries, major or written_by, "said")


def common_text(queries: Sequence[Any]) -> str:
    """The text of the contents that both formats share, spelled as the newest major does: equal plans have
    equal texts."""
    return _text(queries, NEWEST, "never")


def node_text(data: dict[str, Any]) -> str:
    """The same as :func:`common_text`, for one node and all nodes below it."""
    lines: list[str] = []
    write_tree(data, lines, Context({"Plan": data}, NEWEST, "never"))
    return "\n".join(lines)


def about_query(query: Any) -> list[str]:
    """The lines after a query's tree; for a statement without a plan, the text in place of a tree."""
    if isinstance(query, str):
        return list(STATEMENTS.get(query, (query,)))
    lines: list[str] = []
    rest = {key: value for key, value in query.items() if key != "Plan"}
    _write(rest, lines, Context(query, NEWEST, "said"))
    return lines


def _text(queries: Sequence[Any], major: str | None, zeros: Zeros) -> str:
    lines: list[str] = []
    for number, query in enumerate(queries):
        if number:
            lines.append("")
        if isinstance(query, dict):
            _write(query, lines, Context(query, major, zeros))
        else:
            lines.extend(STATEMENTS.get(query, ()))
    return "\n".join(lines)


def _write(query: dict[str, Any], lines: list[str], context: Context) -> None:
    """Append the lines of everything that EXPLAIN printed for a query, in its order."""
    for key, value in query.items():
        write = QUERY_WRITERS.get(key)
        if write is not None:
            start = len(lines)
            try:
                write(value, lines, context)
                continue
            except UNEXPECTED:
                del lines[start:]
        lines.append(f"{key}: {plain(key, value)}")


def write_tree(root: dict[str, Any], lines: list[str], context: Context) -> None:
    """Append the lines of a node and of all nodes below it."""
    waiting = [(root, 0)]
    while waiting:
        data, indent = waiting.pop()
        name = data.get("Subplan Name")
        if name is not None and (indent or data is not root):
            lines.append("  " * indent + name)
            indent += 1
        if indent:
            lines.append("  " * indent + "->  " + node_line(data, context))
            indent += 3
        else:
            lines.append(node_line(data, context))
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
        lines.append(f"{older if context.before_11 else name}: {value:.3f} ms")

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
    """Whether text names each trigger's relation: the server does if it opened more than one relation to write to.

    JSON does not show that; the nodes that modify show most of it.
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
    "Plan": write_tree,
    "Settings": settings,
    "Planning": planning,
    "Planning Time": milliseconds("Planning Time", "Planning time"),
    "Triggers": triggers,
    "JIT": jit,
    "Serialization": serialization,
    "Execution Time": milliseconds("Execution Time", "Execution time"),
    "Total Runtime": milliseconds("Total runtime", "Total runtime"),
}
"""The text of the keys of a whole query; any other key prints as ``Key: value``."""
