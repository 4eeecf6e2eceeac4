"""Judge an observation: compare it with the documented expectation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import Behavior, plain, same
from pytest_pgfeatures.results.model import Outcome

if TYPE_CHECKING:
    from pytest_pgfeatures.results.evidence import Plain
    from pytest_pgfeatures.version import PgVersion


@dataclass(frozen=True, slots=True)
class Judgement:
    """An observation beside its expectation."""

    observed: Plain
    expected: Plain

    @property
    def outcome(self) -> Outcome:
        """``as documented`` if they are equal."""
        return Outcome.AS_DOCUMENTED if same(self.observed, self.expected) else Outcome.DEVIATES


def judge(behavior: Behavior, version: PgVersion, returned: object) -> Judgement:
    """Compare what an observing function returned with what its behavior expects.

    Parameters:
        version: the server's version.

    Raises:
        BehaviorError: the returned value can't be an observation.
    """
    return Judgement(plain(returned, behavior.id), behavior.expect(version))
