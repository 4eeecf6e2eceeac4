"""The versions that a condition of a program, script or template is for, by what it compares with the server's
version; and whether it is for other database systems."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_pgfeatures.readiness.inputs.texts import are_others, are_ours

ALWAYS = 10**9
VERSION = (
    r"server_version_num'\s+and\s+(?:\w+\.)?setting\b|"
    r"\b\w{0,60}(?:(?:server|pg|postgres(?:ql)?|dump|psql)(?:[_-]?|[_-]\w{1,60}[_-])|database_?(?:major_?)?)version\w*"
    r"|\bversion\w*(?=[^\d\n]{1,12}(?:9\d|\d{3})_?\d{3}(?![\d_]))"
)
"""A name of the server's version, or of a program's; or ``version`` beside a number as in server_version_num."""
IS_REFUSED = re.compile(r"(?i)undefined_?(?:table|column|function|object)\b|\b42(?:P01|703|883|704)\b")
"""An error about a missing object, by its name or its SQLSTATE."""
_METHOD = re.compile(
    r"\b(?=\w*version)\w++(?:\(\))?\.(?:is_?)?(?P<sign>gte?|lte?|ge|le|at_?least|before|below)\(\D{0,30}(?P<version>\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
"""A method that compares versions, as libraries for semantic versions have them."""
LIKELY = re.compile(rf"{VERSION}|{_METHOD.pattern}|\$\((?=\w*major)\w++\)", re.IGNORECASE)
_AFTER_NAME = r"(?:<\w+>|(?!\band\b|&&|\.minor)[^<>=!;]){0,80}?"
"""The text between a version and what it is compared with: ``)::int``, ``").to_i``, ``' shop)``, ``.Major``."""
_LETTERS = {
    "ge": ">=", "gte": ">=", "gt": ">", "lt": "<", "le": "<=", "lte": "<=", "eq": "==",
    "atleast": ">=", "at_least": ">=", "before": "<", "below": "<",
}  # fmt: skip
COMPARED = (
    rf"(?P<sign>>=|<=|===?|<(?!\w+>)|[>=]|-(?:{'|'.join(_LETTERS)})\b)\s*['\"]?(?:\$?[A-Z]\w*?)?"
    r"(?P<major>\d[\d_]*)(?:\.(?P<minor>\d))?"
)
COMPARISON = re.compile(f"(?:{VERSION}){_AFTER_NAME}{COMPARED}", re.IGNORECASE)
_OLD = re.compile(r"([7-9])0?(\d)")  # 9.6, 96 and 906
_SHORT = re.compile(r"[1-3]\d0{0,2}")  # 16, 160 and 1600
_TESTED = re.compile(
    r"\sis\s+version(?:_compare)?\(\s*['\"]([\d.]+)['\"]\s*,\s*(?:operator\s*=\s*)?['\"]([<>=]+|[lg][te]|eq)['\"][^()]*\)"
)
"""Ansible's test of versions."""
_SEVERAL = re.compile(r"\b(?:and|or|not)\b|&&|\|\||!", re.IGNORECASE)
WITH_OR = re.compile(r"\bor\b|\bnot\b|\|\||!(?!=)", re.IGNORECASE)
_CHOOSES = re.compile(
    r"(?:dialect|vendor|adapter|driver|engine|backend|provider|dbms|database|client|db_?type)\w*",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"['\"/:]([A-Za-z][\w.]*)")
_DENIED = re.compile(r"!=|<>|!~|\bnot\b|\A[(\s]*!", re.IGNORECASE)
_AND_OR = re.compile(r"\b(?:and|or)\b|&&|\|\|", re.IGNORECASE)
"""A condition about the database system that a program speaks to, the name of one, what turns it round, and what
joins it with others."""
NEVER = range(0)  # the versions that run a branch that handles an error about a missing object
ELSEWHERE = range(1, 1)  # those that run a branch for other database systems
Sides = tuple[range | None, range | None]  # of a branch, and of the one after ELSE


def compared(condition: str, names: Iterable[str] = ()) -> range | None:
    """The versions for which a condition may hold; None if it compares neither the server's version nor one of the
    variables that hold it."""
    condition = _TESTED.sub(lambda found: f" {_LETTERS.get(found[2], found[2])} {found[1]}", condition)
    condition = _METHOD.sub(r" server_version -\g<sign> \g<version> ", condition)
    if WITH_OR.search(condition):
        return None
    also = "".join(rf"|\b{re.escape(name)}\b" for name in names)
    found = re.search(f"(?:{VERSION}{also}){_AFTER_NAME}{COMPARED}", condition, re.IGNORECASE)
    return versions_of(found) if found else None


def versions_of(found: re.Match[str], sign: str = "") -> range:
    """The versions of a comparison.

    Parameters:
        sign: that of the comparison, if the match has none.
    """
    digits = found["major"].replace("_", "")
    first, count = int(digits), 1
    if old := _OLD.fullmatch(digits if len(digits) > 1 else digits + (found["minor"] or "0")):
        first, count = int(old[1]) * 10000 + int(old[2]) * 100, 100
    elif _SHORT.fullmatch(digits):
        first, count = int(digits[:2]) * 10000, 10000
    until = first + count
    sign = sign or found["sign"].lstrip("-").lower()
    known = {">=": range(first, ALWAYS), ">": range(until, ALWAYS), "<": range(first), "<=": range(until)}
    return known.get(_LETTERS.get(sign, sign), range(first, until))


def sides_of(condition: str, names: Iterable[str] = (), *, handles: bool = False) -> Sides:
    """The versions that run the branch of a condition, and those that run the one after ELSE."""
    if _CHOOSES.search(condition) and (chosen := _chosen(condition)) != (None, None):
        return chosen
    versions = NEVER if handles else compared(condition, names)
    if versions is None or handles or _SEVERAL.search(condition):
        return versions, None
    before, after = range(versions.start), range(versions.stop, ALWAYS)
    return versions, None if before and after else before or after


def _chosen(condition: str) -> Sides:
    """The branches of a condition that only other database systems run."""
    named, is_denied = _SYSTEM.findall(condition), _DENIED.search(condition) is not None
    of_others, of_ours = any(map(are_others, named)), any(map(are_ours, named))
    first = ELSEWHERE if of_others != of_ours and is_denied == of_ours else None
    second = ELSEWHERE if of_others != of_ours and is_denied == of_others else None
    several = {each[0].lower() for each in _AND_OR.finditer(condition)}
    is_sure = not several or (of_others and (several <= {"and", "&&"} or len(named) > len(several)))
    return (first if is_sure else None), (None if several else second)
