"""Commands that prove a finding."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from psycopg.sql import quote

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.readiness.servers.trial import Trial

_LONGEST = 2000
_SETTING = re.compile(r"^\s*(?:set|reset)\b|\bset_config\b", re.IGNORECASE)
"""Settings that a file leaves for the rest of its session, as a dump does with search_path."""
_REPLACED = re.compile(r"\{(?:version|major|dsn)\}")
_EXPANDED = re.compile(r'["$`\\!]')
"""Characters that a shell expands in double quotes, or that end these."""


def quoted(word: str) -> str:
    """A word for a shell. Text in apostrophes is in double quotes, where that is all it needs."""
    return f'"{word}"' if "'" in word and not _EXPANDED.search(word) else shlex.quote(word)


def proof_of_sql(trial: Trial, sql: str) -> str:
    """A command that runs a statement on both versions, without the schema."""
    return f"pgfeatures bisect --pg {trial.versions} {quoted(sql)}"


def with_schema(trial: Trial, sql: str) -> str:
    """A command that loads the schema into both versions and compares their answers to the statement; empty if no
    command can load it."""
    return _after(trial, trial.inputs.schema, sql, "last")


def with_data(trial: Trial, sql: str) -> str:
    """The same as :func:`with_schema`, with the data."""
    return _after(trial, trial.inputs.loaded, sql, "last")


def proof_of_loading(trial: Trial, sent: Loadable) -> str:
    """A command that loads the schema and the data up to one of their statements, and compares the answers to
    it."""
    first = next(token for token in tokens(sent.query.sql) if token.significant)
    place = sent.query.place(first.start)
    loaded = trial.inputs.loaded
    return _after(trial, loaded[: loaded.index(sent) + 1], "", f"{place.file}:{place.line}")


def proof_of_commands(trial: Trial) -> str:
    """A command that runs the commands of ``--setup`` and ``--data`` up to the failing one; empty if files
    are loaded before, or if one contains text that ``pgfeatures run`` replaces."""
    commands = trial.inputs.commands
    if trial.inputs.loaded or any(_REPLACED.search(each) for each in commands):
        return ""
    script, *more = commands
    if more:
        script = " && ".join(f"sh -c {quoted(each)}" for each in commands)
    return f"pgfeatures run --pg {trial.versions} -- sh -c {quoted(script)}"


def _after(trial: Trial, loaded: Sequence[Loadable], statement: str, only: str) -> str:
    """A command that runs files on both versions, and compares the answers to one statement.

    It creates the roles that readiness created when it loaded the files. There is no command if a file of
    statistics or a live database has the schema, or if commands create it.
    """
    files = list(dict.fromkeys(each.query.file for each in loaded))
    if trial.inputs.commands or not all(Path(file).exists() for file in files):
        return ""
    roles = sorted({role for side in trial.loaded for role in side.roles})
    setup = [*(f'CREATE ROLE "{role}"' for role in roles), *files]
    if statement and any(_SETTING.search(each.query.sql) for each in loaded):
        setup.append("RESET ALL; RESET ROLE")
    if statement and trial.inputs.search_path:
        setup.append(f"SELECT set_config('search_path', {quote(trial.inputs.search_path)}, false)")
    text = " ".join([*map(quoted, [*setup, *filter(None, [statement])]), "--only", quoted(only)])
    return f"pgfeatures bisect --pg {trial.versions} {text}" if len(text) <= _LONGEST else ""
