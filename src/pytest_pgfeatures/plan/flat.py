"""A plan's nested mappings as a flat list, and back: pickling and copying then need no recursion."""

from __future__ import annotations

from typing import Any

Flat = list[tuple[int, dict[str, Any]]]
"""The depth of each node and its keys except ``Plans``, in EXPLAIN's order."""


def flattened(root: dict[str, Any]) -> Flat:
    """A node and all nodes below it as a flat list."""
    flat: Flat = []
    waiting = [(0, root)]
    while waiting:
        depth, data = waiting.pop()
        flat.append((depth, {key: value for key, value in data.items() if key != "Plans"}))
        waiting.extend((depth + 1, child) for child in reversed(data.get("Plans", ())))
    return flat


def nested(flat: Flat) -> dict[str, Any]:
    """The node that :func:`flattened` took apart."""
    path: list[dict[str, Any]] = []
    for depth, data in flat:
        data = dict(data)
        del path[depth:]
        if path:
            path[-1].setdefault("Plans", []).append(data)
        path.append(data)
    return path[0]
