"""Lines about resources: buffers, I/O times, WAL, memory. Text prints only what is not zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.plan.context import Context

    Data = dict[str, Any]
    Lines = list[str]
    Writer = Callable[[Data, Any, str, Lines, Context], None]

BUFFERS = {
    "shared": {
        "hit": "Shared Hit Blocks",
        "read": "Shared Read Blocks",
        "dirtied": "Shared Dirtied Blocks",
        "written": "Shared Written Blocks",
    },
    "local": {
        "hit": "Local Hit Blocks",
        "read": "Local Read Blocks",
        "dirtied": "Local Dirtied Blocks",
        "written": "Local Written Blocks",
    },
    "temp": {"read": "Temp Read Blocks", "written": "Temp Written Blocks"},
}
TIMES = {
    "shared": {"read": "Shared I/O Read Time", "write": "Shared I/O Write Time"},
    "local": {"read": "Local I/O Read Time", "write": "Local I/O Write Time"},
    "temp": {"read": "Temp I/O Read Time", "write": "Temp I/O Write Time"},
}
"""I/O times since 17."""
OLDER_TIMES = {"read": "I/O Read Time", "write": "I/O Write Time"}
"""I/O times up to 16, shared and local together. Text prints ``shared`` before them in 15 and 16."""
WAL = {
    "records": "WAL Records",
    "fpi": "WAL FPI",
    "bytes": "WAL Bytes",
    "fpi bytes": "WAL FPI Bytes",
    "buffers full": "WAL Buffers Full",
}


def buffers(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    said = []
    get = data.get
    for kind, keys in BUFFERS.items():
        counts = [f"{name}={count}" for name, key in keys.items() if (count := get(key))]
        if counts:
            said.append(f"{kind} {' '.join(counts)}")
    if said:
        lines.append(f"{pad}Buffers: {', '.join(said)}")


def times(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    said = [f"{kind} {spent}" for kind, keys in TIMES.items() if (spent := _spent(data, keys))]
    if said:
        lines.append(f"{pad}I/O Timings: {', '.join(said)}")


def older_times(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    has_temp = "Temp I/O Read Time" in data  # since 15
    said = []
    if spent := _spent(data, OLDER_TIMES):
        said.append(f"shared {spent}" if has_temp else spent)
    if spent := _spent(data, TIMES["temp"]):
        said.append(f"temp {spent}")
    if said:
        lines.append(f"{pad}I/O Timings: {', '.join(said)}")


def _spent(data: Data, keys: dict[str, str]) -> str:
    return " ".join(f"{name}={spent:.3f}" for name, key in keys.items() if (spent := data.get(key)))


def wal(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    said = "".join(f" {name}={count}" for name, key in WAL.items() if (count := data.get(key)))
    if said:
        lines.append(f"{pad}WAL:{said}")


def prefetch(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    most, capacity = data["Max Prefetch Distance"], data["Prefetch Capacity"]
    lines.append(f"{pad}Prefetch: avg={value:.2f} max={most} capacity={capacity}")


def io(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    if value:
        lines.append(
            f"{pad}I/O: count={value} waits={data['I/O Waits']} size={data['Average I/O Size']:.2f}"
            f" in-progress={data['Average I/Os In Progress']:.2f}"
        )


def memory(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    lines.append(f"{pad}Memory: used={value}kB  allocated={data['Memory Allocated']}kB")


_LEADING: dict[str, Writer] = {
    "Shared Hit Blocks": buffers,
    "Shared I/O Read Time": times,
    "I/O Read Time": older_times,
    "WAL Records": wal,
    "Memory Used": memory,
    "Average Prefetch Distance": prefetch,
    "I/O Count": io,
}
_FOLLOWING = (
    *(key for keys in BUFFERS.values() for key in keys.values()),
    *(key for keys in TIMES.values() for key in keys.values()),
    *OLDER_TIMES.values(),
    *WAL.values(),
    "Memory Allocated",
    "Max Prefetch Distance",
    "Prefetch Capacity",
    "I/O Waits",
    "Average I/O Size",
    "Average I/Os In Progress",
)
USAGE: dict[str, Writer | None] = {**dict.fromkeys(_FOLLOWING), **_LEADING}
"""The writer of each key: the first one of a line's keys writes the line."""
