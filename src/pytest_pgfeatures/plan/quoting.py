"""When the server quotes a name in text: FORMAT JSON gives names bare.

A name is quoted unless it is lower-case letters, digits and underscores, starts with no digit, and is no
keyword that is reserved in some place: every category but the unreserved one of
https://www.postgresql.org/docs/current/sql-keywords-appendix.html.
"""

from __future__ import annotations

import functools
import re

from pytest_pgfeatures.version import MAJORS, PgMajor

NEWEST = MAJORS[-1]

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*").fullmatch

# From pg_get_keywords() of each major: what was there in 9.3, then what came and went.
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
def keywords(major: PgMajor) -> frozenset[str]:
    """The keywords that a server of this major quotes where they are names."""
    known = set(_FIRST.split())
    for since, words in _ADDED.items():
        if major >= PgMajor(since):
            known.update(words.split())
    for since, words in _REMOVED.items():
        if major >= PgMajor(since):
            known.difference_update(words.split())
    return frozenset(known)


def last_without(word: str) -> PgMajor:
    """The newest major in which ``word`` is no such keyword."""
    without = [known for known in MAJORS if word not in keywords(known)]
    return without[-1] if without else MAJORS[0]


@functools.lru_cache(maxsize=4096)
def quoted(name: str, major: PgMajor) -> str:
    """``name`` as a server of this major writes it in text."""
    if _PLAIN(name) and name not in keywords(major):
        return name
    return '"' + name.replace('"', '""') + '"'


def unquoted(name: str) -> str:
    """The bare name that text writes as ``name``."""
    return name[1:-1].replace('""', '"') if name[:1] == '"' and name[-1:] == '"' and len(name) > 1 else name
