"""The findings of readiness, and the differences between two versions, as sections of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.delta import Group
from pytest_pgfeatures.page.write import Section, render
from pytest_pgfeatures.report.delta import proof
from pytest_pgfeatures.report.readiness import by_head, passed_over_lines, where
from pytest_pgfeatures.report.values import shown
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.behaviors.delta import BehaviorChange
    from pytest_pgfeatures.readiness.run import Readiness
    from pytest_pgfeatures.version import PgMajor, PgVersion

    Version = PgMajor | PgVersion


_SIGNS = {"<": "gone", ">": "new", "|": "changed"}
"""The class of a row of two plans or answers."""


def findings_section(found: Readiness) -> Section:
    """Return the findings below their heads, then what could not be used, and what the baseline accepts."""
    groups = [
        (head, [(each, where(each)) for each in told]) for head, told in by_head(found.findings).items()
    ]
    others = {
        "What could not be used as it is": found.problems,
        "Files not looked at": passed_over_lines(found),
        "Not looked at": [f"{each.what}: {each.why}" for each in found.not_looked_at],
        "Accepted by the baseline": [f"{where(each)}: {each.message}" for each in found.accepted],
    }
    listed = [(head, lines) for head, lines in others.items() if lines]
    return Section(
        "findings", "Findings", render("findings.html", groups=groups, others=listed, signs=_SIGNS)
    )


def changes_section(old: Version, new: Version, changes: Sequence[BehaviorChange]) -> Section:
    """Return the differences between two versions by impact, as the atlas documents them: first what is refused."""
    groups = []
    for group in Group:
        found = sorted(
            (each for each in changes if each.group is group),
            key=lambda each: (not _is_refused(each), each.behavior.area),
        )
        if found:
            groups.append((group.value, [_change(old, new, each) for each in found]))
    html = render("changes.html", groups=groups, old=old, new=new)
    return Section("changes", f"From {old} to {new}", html)


def _is_refused(change: BehaviorChange) -> bool:
    """Whether the newer version refuses what the older one does not, so that an application has an error."""
    before, after = (
        isinstance(value, str) and SqlState.recognized(value) is not None
        for value in (change.before, change.after)
    )
    return after and not before


def _change(old: Version, new: Version, change: BehaviorChange) -> dict[str, str]:
    behavior = change.behavior
    since = str(behavior.since) if behavior.since else ""
    return {
        "id": behavior.id,
        "title": behavior.title,
        "area": behavior.area,
        "manual": behavior.manual_url or "",
        "entry": ", ".join(behavior.release_note) or since,
        "before": shown(change.before),
        "after": shown(change.after),
        "remedy": behavior.remedy or "",
        "note": behavior.note or "",
        "source": behavior.source,
        "proof": proof(old, new, behavior),
    }
