"""Invalid and unusual plans and selectors: each is read, or rejected with a documented error.

The plans come from tests/plan/samples.jsonl: the queries in tests/plan/queries, explained by 13, 18 and 19rc1 with
ANALYZE, VERBOSE, BUFFERS and all other options that they have. A plan that is read must work in all of its uses.
"""

from __future__ import annotations

import copy
import io
import itertools
import json
import pickle
import random
import time
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from rich.console import Console

from pytest_pgfeatures.errors import PlanNodeError, PlanParseError, PlanSelectorError
from pytest_pgfeatures.plan import Plan, diff, parse_plan, render
from pytest_pgfeatures.plan.assertion_help import compared
from pytest_pgfeatures.plan.majors import NAMES
from pytest_pgfeatures.plan.tree import ATTRIBUTES
from torture.model import Check, each
from torture.plan_mutations import PIECES, deep, mutated, mutated_tree, part_of, samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHOWN = 300
"""The number of a plan's characters that a failure shows; its seed gives the whole plan."""
_seeds = itertools.count(time.time_ns() % 10**9 * 1000)


# --- verdicts ----------------------------------------------------------------------------------------------


class _Tags(HTMLParser):
    """Check that elements are closed in the right order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.wrong |= not self.open or self.open.pop() != tag


def judged(source: Any, *, light: bool) -> list[str]:
    """Return the problems with a source, which must be rejected with a line of the text, or be a plan that works.

    Parameters:
        source: the argument of ``parse_plan``.
        light: whether to leave out slow uses.
    """
    try:
        plan = parse_plan(source)
    except PlanParseError as error:
        lines = source.count("\n") + 1 if isinstance(source, str) else 1
        return [] if 1 <= error.line <= lines else [f"line {error.line} of {lines}"]
    except Exception as error:
        return [f"parse_plan: {error!r:.{SHOWN}}"]
    uses = {name: use for name, use in USES.items() if not (light and name in HEAVY)}
    return [problem for name, use in uses.items() for problem in _used(name, use, plan)]


def _used(name: str, use: Callable[[Plan], object], plan: Plan) -> Iterator[str]:
    try:
        if use(plan) is False:
            yield f"{name}: false"
    except Exception as error:
        yield f"{name}: {error!r:.{SHOWN}}"


def _printed(plan: Plan) -> str:
    file = io.StringIO()
    Console(file=file, width=100).print(plan)
    return file.getvalue()


def _html(plan: Plan) -> bool:
    tags = _Tags()
    tags.feed(plan._repr_html_())
    return not tags.wrong and not tags.open


def _summary(plan: Plan) -> object:
    try:
        return repr(plan.summary), plan.root
    except PlanNodeError:
        return None


def _other(plan: Plan) -> object:
    other = parse_plan(samples()[0][1])
    return str(diff(plan, other)), str(diff(other, plan)), plan == other, compared("==", plan, other)


SELECTORS = (
    *(
        "*",
        "Sort",
        "* Scan",
        "Gather >> *",
        "* > Sort",
        "[rows>1]",
        "[filter*='a']",
        "[sort_key~=a]",
        "['A Key'=1]",
    ),
    *(
        "*:has(Sort)",
        "*:not(* Scan)",
        ":nth-child(2n+1)",
        "[workers]",
        "[index^=i][index$=x]",
        "[relation!=t], [label=Sort]",
    ),
)
USES: dict[str, Callable[[Plan], object]] = {
    "str": str,
    "repr": lambda plan: (repr(plan), list(map(repr, plan))),
    "html": _html,
    "rich": _printed,
    "render": lambda plan: [render(plan, version=major) for major in NAMES],
    "shape": lambda plan: (str(plan.shape()), hash(plan.shape(normalize=False))),
    "diff with itself": lambda plan: not diff(plan, plan) and isinstance(str(diff(plan, plan)), str),
    "diff with another": _other,
    "equal to itself": lambda plan: plan == Plan(plan.queries, plan.major) and hash(plan) == hash(plan.text),
    "pickle": lambda plan: pickle.loads(pickle.dumps(plan)) == plan,
    "copy": lambda plan: copy.deepcopy(plan) == plan,
    "summary": _summary,
    "attributes": lambda plan: [getattr(node, name) for node in plan for name in ATTRIBUTES],
    "nodes": lambda plan: [(node.label, len(node.children), node.parent) for node in plan],
    "selectors": lambda plan: [plan.find(selector) for selector in SELECTORS],
    "in": lambda plan: compared("in", "Incremental Sort", plan),
    "not in": lambda plan: compared("not in", "*", plan),
    "matches": lambda plan: repr(plan.matches("Sort > Sort")),
}
HEAVY = frozenset(("rich", "render", "diff with another"))
"""The slow uses: one attempt in ten has them, but never a plan with thousands of levels."""


# --- the checks --------------------------------------------------------------------------------------------


def text(seed: int) -> str:
    """Return the mutated TEXT of a seed."""
    rng = random.Random(seed)
    return mutated(rng, rng.choice(samples())[1])


def encoded(seed: int) -> str:
    """Return the mutated JSON of a seed."""
    rng = random.Random(seed)
    return mutated(rng, rng.choice(samples())[0])


def tree(seed: int) -> Any:
    """Return the mutated decoded JSON of a seed."""
    rng = random.Random(seed)
    return mutated_tree(rng, json.loads(rng.choice(samples())[0]))


def nested(seed: int) -> Any:
    """Return the deeply nested text or tree of a seed."""
    return deep(random.Random(seed))


def _attempt(make: Callable[[int], Any]) -> Callable[[], list[str]]:
    def run() -> list[str]:
        seed = next(_seeds)
        problems = judged(make(seed), light=make is nested or seed % 10 > 0)
        return [f"{make.__name__}({seed}): {', '.join(problems)}"] if problems else []

    return run


def selector(seed: int) -> str:
    """Return the mutated selector of a seed."""
    rng = random.Random(seed)
    said = ", ".join(rng.sample(SELECTORS, 2))
    for _ in range(rng.choice((1, 2, 4))):
        at = rng.randrange(len(said) + 1)
        piece = rng.choice(
            (*PIECES, ">", ">>", "*", ":has(", ":not(", ":nth-child(", "[", "]", "n", "+", "2n", ":has(" * 60)
        )
        said = said[:at] + piece * rng.choice((1, 1, 3)) + said[at + rng.choice((0, 1, 4)) :]
    return said


def judged_selector(seed: int) -> list[str]:
    """Return the problems with a seed's selector, which must be rejected with a column, or select nodes."""
    plan = parse_plan(random.Random(seed).choice(samples())[1])
    said = selector(seed)
    try:
        found = plan.find(said)
        repr(plan.matches(said))
        plan.one(said)
    except PlanSelectorError as error:
        return [] if 1 <= error.column <= len(said) + 1 else [f"selector({seed}): column {error.column}"]
    except PlanNodeError:
        return []
    except Exception as error:
        return [f"selector({seed}): {error!r:.{SHOWN}}"]
    return [] if len(found) == 1 else [f"selector({seed}): one() of {len(found)}"]


SMALL, FACTOR = 60_000, 8
"""The smaller text's number of characters, and the factor to the larger text's."""
SLOW = 2.5
"""The accepted growth of the time as a multiple of FACTOR: quadratic growth is FACTOR times FACTOR."""


def grown(seed: int, size: int) -> str:
    """Return a seed's text, in which a part repeats until the text has this many characters."""
    rng = random.Random(seed)
    in_json, in_text = rng.choice(samples())
    whole = rng.choice((in_text, in_text, in_json))
    at = rng.randrange(len(whole))
    unit = rng.choice(
        (
            rng.choice(PIECES),
            part_of(rng, whole),
            part_of(rng, whole),
            whole[at : at + 1],
            rng.choice("a1 ='("),
        )
    )
    unit = unit[:500] or "  "
    end = at + rng.choice((0, 0, 1, 30, len(whole)))
    return whole[:at] + unit * (size // len(unit)) + whole[end:]


def _seconds(use: Callable[[Any], object], of: Any) -> float:
    started = time.process_time()
    use(of)
    return time.process_time() - started


def _read(source: str) -> Plan | None:
    try:
        return parse_plan(source)
    except PlanParseError:
        return None


TIMED = (
    "str",
    "shape",
    "diff with itself",
    "diff with another",
    "html",
    "selectors",
    "in",
    "not in",
    "equal to itself",
    "pickle",
)


def _growth() -> list[str]:
    """Check that time is linear in the text's length and in a plan's output, where nested nodes are indented."""
    seed = next(_seeds)
    small, large = (grown(seed, size) for size in (SMALL, SMALL * FACTOR))
    problems = ["parse_plan"] if _grows(_read, small, large, FACTOR) else []
    plans = _read(small), _read(large)
    if plans[0] is not None and plans[1] is not None:
        factor = max(FACTOR, len(str(plans[1])) / len(str(plans[0])))
        problems.extend(name for name in TIMED if _grows(USES[name], *plans, factor))
    return [f"grown({seed}, ...): {', '.join(problems)}: slower than linear"] if problems else []


def _grows(use: Callable[[Any], object], small: Any, large: Any, factor: float) -> bool:
    """Whether the time grows more than proportionally; if it seems to, measure again."""
    if _seconds(use, large) < 0.2:
        return False
    return all(_seconds(use, large) > SLOW * factor * max(0.005, _seconds(use, small)) for _ in range(3))


CHECKS = (
    Check("mutated plans, TEXT", 10_000, each(_attempt(text)), unit=2_000),
    Check("mutated plans, JSON", 10_000, each(_attempt(encoded)), unit=5_000),
    Check("mutated plans, decoded", 10_000, each(_attempt(tree)), unit=2_500),
    Check("deeply nested plans", 100, each(_attempt(nested)), unit=100),
    Check("mutated selectors", 20_000, each(lambda: judged_selector(next(_seeds))), unit=20_000),
    Check("growing plans", 100, each(_growth), unit=25),
)
