"""Compare a model with a server, block by block, so that a run can stop at any time and continue later.

A seed and a block's number determine the block's texts. After each block the run atomically writes its results to a
file per major and subject.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import EvaluationError, LiteralError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.literals.scanner import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from psycopg import Connection

    from devtools.conformance.subjects import Subject
    from pytest_pgfeatures.literals.evaluation import Evaluation
    from pytest_pgfeatures.literals.oracle import Reading
    from pytest_pgfeatures.version import PgVersion

BATCH = 10_000
KEPT_DIFFERENCES = 100
"""The number of differences whose texts are kept, per version and subject. All differences are counted."""


@dataclass(slots=True)
class Tally:
    """The results for one version and subject.

    Parameters:
        version: the server's version.
        subject: the subject's name.
        seed: the seed of the texts.
        batch: texts per block.
        blocks: blocks done.
        compared: texts for which both model and server answered.
        beyond: texts that the model does not support, or that were not sent.
        differing: texts for which the answers differ.
        outcomes: per class of texts, the count of each outcome: a type, an SQLSTATE, or a type with a label.
        differences: some of the differences: text, server's answer, model's answer, class.
    """

    version: str
    subject: str
    seed: int
    batch: int
    blocks: int = 0
    compared: int = 0
    beyond: int = 0
    differing: int = 0
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    differences: list[dict[str, str]] = field(default_factory=list)

    def count(self, name: str, text: str, found: Evaluation, reading: Reading | None) -> None:
        """Count one text.

        Parameters:
            name: the text's class.
            text: the text.
            found: the server's answer.
            reading: the model's answer; None if it does not support the text.
        """
        if reading is None or found.refused is not None:
            self.beyond += 1
            return
        self.compared += 1
        outcome = found.sqlstate or found.type or "no column"
        if found.label is not None:
            outcome += " and a label"
        counts = self.outcomes.setdefault(name, {})
        counts[outcome] = counts.get(outcome, 0) + 1
        if not found.agrees(reading):
            self.differing += 1
            if len(self.differences) < KEPT_DIFFERENCES:
                self.differences.append(
                    {"text": text, "server": _told(found), "model": _told(reading), "class": name}
                )

    def by_outcome(self) -> Counter[str]:
        """Return the count of each outcome, over all classes."""
        return sum((Counter(counts) for counts in self.outcomes.values()), Counter())


def _told(answer: Any) -> str:
    """Return an evaluation or a reading as a report shows it."""
    if answer.sqlstate is not None:
        return f"{answer.sqlstate} {answer.message}"
    label = "" if answer.label is None else f", labelled {answer.label}"
    return f"{answer.type} {shortened(str(answer.value))}{label}"


@dataclass(frozen=True, slots=True)
class ConformanceRun:
    """A run, or a part of one.

    Parameters:
        directory: the directory of its files.
        seed: the seed of the texts.
        batch: texts per round trip to the server, 1 or more.

    Raises:
        LiteralError: ``batch`` is less than 1.
    """

    directory: Path
    seed: int = 1
    batch: int = BATCH

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise LiteralError(f"a batch of {self.batch} texts", remedy="give a batch of 1 or more")

    def tally(self, version: PgVersion, subject: Subject) -> Tally:
        """Return an earlier run's tally, or a new one.

        Raises:
            LiteralError: the file belongs to a run over other texts, or is damaged.
        """
        path = self._path(version, subject)
        fresh = Tally(str(version), subject.name, self.seed, self.batch)
        if not path.exists():
            return fresh
        try:
            found = Tally(**json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, TypeError) as error:
            raise LiteralError(
                f"{path} is damaged: {error}", remedy="remove it, or name another directory"
            ) from error
        if (found.version, found.seed, found.batch) != (fresh.version, fresh.seed, fresh.batch):
            raise LiteralError(
                f"{path} is of PostgreSQL {found.version}, seed {found.seed}, batches of {found.batch}",
                remedy="continue with those, remove the file, or name another directory",
            )
        return found

    def compare(
        self,
        connection: Connection[Any],
        version: PgVersion,
        subject: Subject,
        count: int,
        tally: Tally,
    ) -> Iterator[Tally]:
        """Compare model and server until ``count`` texts are compared.

        Parameters:
            connection: to a server of this version.
            version: the server's version.
            subject: the subject to compare.
            count: the number of texts, including those of earlier runs.
            tally: the results so far (see :meth:`tally`); updated block by block.

        Yields:
            the tally after each block, when it is on disk.

        Raises:
            EvaluationError: the server went away. Earlier results are on disk; ``position`` is the number of the
                lost block's first text.
        """
        # While the server evaluates a block, the model reads it.
        with ThreadPoolExecutor(1) as beside:
            while tally.compared < count:
                named = subject.texts(self.seed, tally.blocks, self.batch)
                texts = [text for _, text in named]
                asked = beside.submit(subject.ask, connection, texts)
                readings = [_read(subject, text, version) for text in texts]
                try:
                    found = asked.result()
                except EvaluationError as error:
                    position = tally.blocks * self.batch
                    raise EvaluationError(
                        f"{error.problem} (PostgreSQL {version}, {subject.name}, block {tally.blocks}: texts "
                        f"{position} to {position + self.batch - 1}; {tally.compared} compared before are kept)",
                        position=position,
                        remedy=f"{error.remedy}; the same command goes on from there",
                        details=error.details,
                    ) from error
                for (name, text), answer, reading in zip(named, found, readings, strict=True):
                    tally.count(name, text, answer, reading)
                tally.blocks += 1
                self._save(version, subject, tally)
                yield tally

    def _path(self, version: PgVersion, subject: Subject) -> Path:
        return self.directory / f"{version.major}-{subject.name.replace(' ', '-')}.json"

    def _save(self, version: PgVersion, subject: Subject, tally: Tally) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        path = self._path(version, subject)
        write_atomically(path, json.dumps(asdict(tally), indent=1, ensure_ascii=False))


def _read(subject: Subject, text: str, version: PgVersion) -> Reading | None:
    try:
        return subject.read(text, version)
    except LiteralError:
        return None
