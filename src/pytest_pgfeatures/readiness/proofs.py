"""Commands that prove a finding."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.registry import is_of_atlas, keyword_of

if TYPE_CHECKING:
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.readiness.model import VersionPair
    from pytest_pgfeatures.readiness.trial.trial import PairTrial

_LONGEST = 2000


def proof_of_sql(trial: PairTrial, sql: str) -> str:
    """A command that runs a statement on both versions, without the schema."""
    return f"pgfeatures bisect --pg {trial.versions} {shlex.quote(sql)}"


def with_schema(trial: PairTrial, sql: str) -> str:
    """A command that loads the schema's files into both versions and runs a statement."""
    files = list(dict.fromkeys(sent.query.file for sent in trial.inputs.schema))
    if not all(Path(file).exists() for file in files):
        return ""  # the schema is in a file of statistics, or in a live database
    text = " ".join([*(shlex.quote(file) for file in files), shlex.quote(sql)])
    return f"pgfeatures bisect --pg {trial.versions} {text}" if len(text) <= _LONGEST else ""


def proof_of_behavior(pair: VersionPair, behavior: Behavior) -> str:
    """A command that observes a behavior of the atlas, or of a user's file, on both versions."""
    versions = f"{pair.old.major},{pair.new.major}"
    if is_of_atlas(behavior):
        return f"pgfeatures verify --pg {versions} -k {shlex.quote(keyword_of(behavior))}"
    path = Path(behavior.file)
    with contextlib.suppress(ValueError):
        path = path.relative_to(Path.cwd())
    return f"pytest --pg {versions} -k {shlex.quote(f'[{behavior.id}]')} {shlex.quote(str(path))}"


def with_data(trial: PairTrial, sql: str) -> str:
    """A command that loads the schema's and the data's files into both versions and runs a statement."""
    files = list(dict.fromkeys(sent.query.file for sent in trial.inputs.loaded))
    text = " ".join([*(shlex.quote(file) for file in files), shlex.quote(sql)])
    return f"pgfeatures bisect --pg {trial.versions} {text}" if len(text) <= _LONGEST else ""


def proof_of_file(trial: PairTrial, file: str) -> str:
    """A command that says which versions accept each statement of a file."""
    return f"pgfeatures needs --pg {trial.versions} {shlex.quote(file)}" if Path(file).exists() else ""
