"""The stage ``incompatibilities``: find a verdict for each behavior that breaks between the two versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_pgfeatures.readiness.model import Certainty, Found, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.servers.trial import Trial


def look(trial: Trial, others: Iterable[StageReport]) -> Iterator[Found]:
    """Judge each behavior by the inputs, the old server's catalogs, and the reports of all other stages."""
    known: dict[str, Certainty] = {}
    for report in others:
        for finding in report.findings:
            for name in filter(None, (finding.behavior, *finding.items)):
                known[name] = "affects" if known.get(name) == "affects" else finding.certainty
        for name, _, _ in report.named:
            known.setdefault(name, "may affect")
    yield from trial.shown.findings
    yield from (NotLookedAt(place.where, reason) for place, reason in trial.shown.searched.in_part)
    yield from ((answer, 0) for answer in ("affects", "may affect", "does not", "not looked at"))
    for verdict in trial.shown.verdicts(known):
        yield verdict
        yield verdict.answer, 1
        if verdict.answer == "not looked at":
            yield NotLookedAt(f"{verdict.behavior}: {verdict.title}", verdict.reason)
