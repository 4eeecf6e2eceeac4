"""Parts of the stages that run something: what determines an order, values of parameters, files of these, logs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.answers.model import Sent, SentColumn, ServerAnswer
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.placeholders import with_parameters
from pytest_pgfeatures.readiness.inputs.queries import read_log
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.options import read_options
from pytest_pgfeatures.readiness.pairs import Trials, pairs
from pytest_pgfeatures.readiness.running.contents import contents_of, lost, snapshot_of, tables
from pytest_pgfeatures.readiness.running.effects import determinacy
from pytest_pgfeatures.readiness.running.execute import execute_all
from pytest_pgfeatures.readiness.running.judge import rewritten
from pytest_pgfeatures.readiness.running.parameters import Samples, values_of
from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.readiness.statements.grammar import read
from pytest_pgfeatures.readiness.toml_files import GivenParameters
