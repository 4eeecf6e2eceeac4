"""Quotes around names in FORMAT TEXT; FORMAT JSON has names without quotes.

A name needs no quotes if it consists of lower-case letters, digits and underscores, does not start with a digit,
and is not a keyword, or only an unreserved one, of
https://www.postgresql.org/docs/current/sql-keywords-appendix.html.
"""

from __future__ import annotations

import functools
import re

from pytest_pgfeatures.plan.majors import NAMES, before

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*").fullmatch

# From pg_get_keywords() of each major: the keywords of 9.3, then those added and removed later.
_FIRST = """
    all analyse analyze and any array as asc asymmetric authorization between bigint binary bit
    boolean both case cast char character check coalesce collate collation column concurrently
    constraint create cross current_catalog current_date current_role current_schema current_time
    current_timestamp current_user dec decimal default deferrable desc distinct do else end except
    exists extract false fetch float for foreign freeze from full grant greatest group having ilike
    in initially inner inout int integer intersect interval into is isnull join lateral leading
    least left like limit localtime localtimestamp national natural nchar none not notnull null
    nullif numeric offset on only or order out outer over overlaps overlay placing position
    precision primary real references returning right row select session_user setof similar smallint
    some substring symmetric table then time timestamp to trailing treat trim true union unique user
    using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement
    xmlexists xmlforest xmlparse xmlpi xmlroot xmlserialize
"""
_ADDED = {
    "9.5": "grouping tablesample",
    "10": "xmlnamespaces xmltable",
    "13": "normalize",
    "16": "json_array json_arrayagg json_object json_objectagg system_user",
    "17": "json json_exists json_query json_scalar json_serialize json_table json_value merge_action",
}
_REMOVED = {"9.4": "over"}


@functools.lru_cache(maxsize=32)
def keywords(major: str) -> frozenset[str]:
    """The keywords that a server of this major quotes if they are names."""
    known = set(_FIRST.split())
    for since, words in _ADDED.items():
        if not before(major, since):
            known.update(words.split())
    for since, words in _REMOVED.items():
        if not before(major, since):
            known.difference_update(words.split())
    return frozenset(known)


def last_without(word: str) -> str:
    """The newest major that does not quote ``word``."""
    without = [major for major in NAMES if word not in keywords(major)]
    return without[-1] if without else NAMES[0]


@functools.lru_cache(maxsize=4096)
def quoted(name: str, major: str) -> str:
    """``name`` as a server of this major prints it in text."""
    if _PLAIN(name) and name not in keywords(major):
        return name
    return '"' + name.replace('"', '""') + '"'


def unquoted(name: str) -> str:
    """``name``, as text prints it, without quotes."""
    return name[1:-1].replace('""', '"') if name[:1] == '"' and name[-1:] == '"' and len(name) > 1 else name
