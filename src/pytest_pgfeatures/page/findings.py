"""The findings of readiness, and the differences between two versions, as sections of a page."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from pytest_pgfeatures.behaviors.delta import Group
from pytest_pgfeatures.page.write import Section, render
from pytest_pgfeatures.report.delta import proof, sides_shown
from pytest_pgfeatures.report.readiness import by_cause, by_head, passed_over_lines, where
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.behaviors.delta import BehaviorChange
    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness
    from pytest_pgfeatures.version import PgMajor, PgVersion

    Version = PgMajor | PgVersion


_SIGNS = {"<": "gone", ">": "new", "|": "changed"}
"""The class of a row of two plans or answers."""


def findings_section(found: Readiness) -> Section:
    """Return the findings below their heads, those with the same cause together, the worst first; then
    unusable inputs, and accepted findings."""
    ids = _Anchors()
    groups = [
        (head, [[_place(each, ids) for each in cause] for cause in by_cause(below)])
        for head, below in by_head(found.findings).items()
    ]
    others = {
        "Inputs that could not be used": found.problems,
        "Files not looked at": passed_over_lines(found),
        "Not looked at": [f"{each.what}: {each.why}" for each in found.not_looked_at],
        "Accepted by the baseline": [f"{where(each)}: {each.message}" for each in found.accepted],
    }
    listed = [(head, lines) for head, lines in others.items() if lines]
    return Section(
        "findings", "Findings", render("findings.html", groups=groups, others=listed, signs=_SIGNS)
    )


class _Anchors:
    """Ids for links to findings, which are the same in each run."""

    def __init__(self) -> None:
        self._known: Counter[str] = Counter()

    def of(self, finding: Finding) -> str:
        """Return the finding's id. Equal findings have different ids."""
        said = f"{finding.stage} {where(finding)} {finding.message}"
        id = f"finding-{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
        self._known[id] += 1
        return id if self._known[id] == 1 else f"{id}-{self._known[id]}"


def _place(finding: Finding, ids: _Anchors) -> dict[str, Any]:
    file = finding.place.file if finding.place else ""
    return {"finding": finding, "where": where(finding), "file": file, "id": ids.of(finding)}


_OF_STATEMENTS = frozenset({"sql", "statements", "ddl", "types", "functions", "plpgsql"})
"""Areas of what applications write in their statements; most others are an administrator's."""


def changes_section(
    old: Version, new: Version, changes: Sequence[BehaviorChange], cell: str | None = None
) -> Section:
    """Return the differences between two versions by impact, as the atlas documents them: refused statements first.

    Parameters:
        cell: the column of the page's matrix that has the evidence of the newer version; None without a matrix.
    """
    groups = []
    for group in Group:
        found = sorted(
            (each for each in changes if each.group is group),
            key=lambda each: (
                not _is_refused(each),
                each.behavior.area not in _OF_STATEMENTS,
                each.behavior.area,
            ),
        )
        if found:
            groups.append((group.value, [_change(old, new, each, cell) for each in found]))
    html = render("changes.html", groups=groups, old=old, new=new)
    return Section("changes", f"From {old} to {new}", html)


def _is_refused(change: BehaviorChange) -> bool:
    """Whether the newer version refuses a statement that the older one accepts, so that an application gets
    an error."""
    before, after = (
        isinstance(value, str) and SqlState.recognized(value) is not None
        for value in (change.before, change.after)
    )
    return after and not before


def _change(old: Version, new: Version, change: BehaviorChange, cell: str | None) -> dict[str, str]:
    behavior = change.behavior
    before, after = sides_shown(change)
    effect = "is refused" if _is_refused(change) else "is otherwise"
    return {
        "id": behavior.id,
        "title": behavior.title,
        "area": behavior.area,
        "manual": behavior.manual_url or "",
        "entry": ", ".join(change.entries),
        "before": before,
        "after": after,
        "effect": effect if change.group is Group.BREAKS else "",
        "anchor": f"change-{behavior.id.replace('/', '-')}",
        "evidence": f"#{urlencode({'row': behavior.id, 'cell': cell})}" if cell else "",
        "remedy": behavior.remedy or "",
        "note": behavior.note or "",
        "source": behavior.source,
        "proof": proof(old, new, behavior),
    }
