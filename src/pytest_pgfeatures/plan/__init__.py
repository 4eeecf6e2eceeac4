"""EXPLAIN output as typed trees. Only :func:`explain` and :func:`pinned` need a server."""

from pytest_pgfeatures.plan.diff import Change, Diff, diff
from pytest_pgfeatures.plan.explain import explain
from pytest_pgfeatures.plan.node import Node
from pytest_pgfeatures.plan.parse import parse_plan
from pytest_pgfeatures.plan.pinned import pinned
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.plan.render import render
from pytest_pgfeatures.plan.shape import Shape

__all__ = ["Change", "Diff", "Node", "Plan", "Shape", "diff", "explain", "parse_plan", "pinned", "render"]
