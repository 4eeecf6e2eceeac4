"""Extensions, on every major: built, installed, created, updated, tested, dumped, upgraded and dropped."""

from pytest_pgfeatures.gate.extension.model import OUTCOMES, STAGE_NAMES, STAGES, Report, Result, Stage
from pytest_pgfeatures.gate.extension.options import Options, read_options
from pytest_pgfeatures.gate.extension.run import try_extension
from pytest_pgfeatures.gate.extension.source import Source, find_source

__all__ = [
    "OUTCOMES",
    "STAGES",
    "STAGE_NAMES",
    "Options",
    "Report",
    "Result",
    "Source",
    "Stage",
    "find_source",
    "read_options",
    "try_extension",
]
