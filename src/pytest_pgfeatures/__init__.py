"""PostgreSQL version behavior, executable in pytest.

These are the public names; each is imported when it is first used. Fixtures and options: the documentation, or
``pytest --fixtures`` and ``pytest --help``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.answers.compare import ServerAnswers, compare
    from pytest_pgfeatures.behaviors.lab import Lab
    from pytest_pgfeatures.behaviors.model import NotYet, Remedied, behavior
    from pytest_pgfeatures.behaviors.table import Row, rows
    from pytest_pgfeatures.errors import PgFeaturesError
    from pytest_pgfeatures.measure.bench import Bench
    from pytest_pgfeatures.measure.model import Figure, Scaled, experiment
    from pytest_pgfeatures.plan import Node, Plan, diff, explain, parse_plan, pinned, render
    from pytest_pgfeatures.scripts.load import load
    from pytest_pgfeatures.server import Cluster, Database
    from pytest_pgfeatures.settings_file import read_settings
    from pytest_pgfeatures.sqlstate import SqlState
    from pytest_pgfeatures.statistics.document import read_statistics
    from pytest_pgfeatures.statistics.transplant import transplant
    from pytest_pgfeatures.version import PgMajor, PgVersion, VersionSet
    from pytest_pgfeatures.workbench import Workbench

__all__ = [
    "Bench",
    "Cluster",
    "Database",
    "Figure",
    "Lab",
    "Node",
    "NotYet",
    "PgFeaturesError",
    "PgMajor",
    "PgVersion",
    "Plan",
    "Remedied",
    "Row",
    "Scaled",
    "ServerAnswers",
    "SqlState",
    "VersionSet",
    "Workbench",
    "behavior",
    "compare",
    "diff",
    "experiment",
    "explain",
    "load",
    "parse_plan",
    "pinned",
    "read_settings",
    "read_statistics",
    "render",
    "rows",
    "transplant",
]

_HOMES = {
    "Bench": "measure.bench",
    "Cluster": "server",
    "Database": "server",
    "Figure": "measure.model",
    "Lab": "behaviors.lab",
    "Node": "plan",
    "NotYet": "behaviors.model",
    "PgFeaturesError": "errors",
    "PgMajor": "version",
    "PgVersion": "version",
    "Plan": "plan",
    "Remedied": "behaviors.model",
    "Row": "behaviors.table",
    "Scaled": "measure.model",
    "ServerAnswers": "answers.compare",
    "SqlState": "sqlstate",
    "VersionSet": "version",
    "Workbench": "workbench",
    "behavior": "behaviors.model",
    "compare": "answers.compare",
    "diff": "plan",
    "experiment": "measure.model",
    "explain": "plan",
    "load": "scripts.load",
    "parse_plan": "plan",
    "pinned": "plan",
    "read_settings": "settings_file",
    "read_statistics": "statistics.document",
    "render": "plan",
    "rows": "behaviors.table",
    "transplant": "statistics.transplant",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
