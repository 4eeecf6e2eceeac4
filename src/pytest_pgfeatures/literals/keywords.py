"""The key words that determine what a word after a number means.

Sources: "SQL Key Words" (https://www.postgresql.org/docs/current/sql-keywords-appendix.html, which names the
words that need AS as labels) and ``pg_get_keywords()`` of each major. The key words of 9.4 are from its manual:
no server was available. Since 14 most key words can be labels without AS
(https://www.postgresql.org/docs/release/14.0/: "Allow most keywords to be used as column labels without AS").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgVersion

# fmt: off
_SINCE: dict[str, str] = {
    ">=9.3": """
        abort absolute access action add admin after aggregate all also alter always analyse analyze and
        any array as asc assertion assignment asymmetric at attribute authorization backward before
        begin between bigint binary bit boolean both by cache called cascade cascaded case cast catalog
        chain char character characteristics check checkpoint class close cluster coalesce collate
        collation column comment comments commit committed concurrently configuration connection
        constraint constraints content continue conversion copy cost create cross csv current
        current_catalog current_date current_role current_schema current_time current_timestamp
        current_user cursor cycle data database day deallocate dec decimal declare default defaults
        deferrable deferred definer delete delimiter delimiters desc dictionary disable discard distinct
        do document domain double drop each else enable encoding encrypted end enum escape event except
        exclude excluding exclusive execute exists explain extension external extract false family fetch
        first float following for force foreign forward freeze from full function functions global grant
        granted greatest group handler having header hold hour identity if ilike immediate immutable
        implicit in including increment index indexes inherit inherits initially inline inner inout
        input insensitive insert instead int integer intersect interval into invoker is isnull isolation
        join key label language large last lateral leading leakproof least left level like limit listen
        load local localtime localtimestamp location lock mapping match materialized maxvalue minute
        minvalue mode month move name names national natural nchar next no none not nothing notify
        notnull nowait null nullif nulls numeric object of off offset oids on only operator option
        options or order out outer over overlaps overlay owned owner parser partial partition passing
        password placing plans position preceding precision prepare prepared preserve primary prior
        privileges procedural procedure program quote range read real reassign recheck recursive ref
        references refresh reindex relative release rename repeatable replace replica reset restart
        restrict returning returns revoke right role rollback row rows rule savepoint schema scroll
        search second security select sequence sequences serializable server session session_user set
        setof share show similar simple smallint snapshot some stable standalone start statement
        statistics stdin stdout storage strict strip substring symmetric sysid system table tables
        tablespace temp template temporary text then time timestamp to trailing transaction treat
        trigger trim true truncate trusted type types unbounded uncommitted unencrypted union unique
        unknown unlisten unlogged until update user using vacuum valid validate validator value values
        varchar variadic varying verbose version view volatile when where whitespace window with without
        work wrapper write xml xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlparse xmlpi
        xmlroot xmlserialize year yes zone
    """,
    ">=9.4": """
        filter ordinality views within
    """,
    ">=9.5": """
        conflict cube grouping import locked logged policy rollup sets skip sql tablesample transform
    """,
    ">=9.6": """
        depends method parallel
    """,
    ">=10": """
        attach columns detach generated new old overriding publication referencing schemas subscription
        xmlnamespaces xmltable
    """,
    ">=11": """
        call groups include others procedures routine routines ties
    """,
    ">=12": """
        stored support
    """,
    ">=13": """
        expression nfc nfd nfkc nfkd normalize normalized uescape
    """,
    ">=14": """
        asensitive atomic breadth compression depth finalize return
    """,
    ">=15": """
        matched merge parameter
    """,
    ">=16": """
        absent format indent json json_array json_arrayagg json_object json_objectagg keys scalar
        system_user
    """,
    ">=17": """
        conditional empty error json_exists json_query json_scalar json_serialize json_table json_value
        keep merge_action nested omit path plan quotes source string target unconditional
    """,
    ">=18": """
        enforced objects period virtual
    """,
    ">=19": """
        ignore lsn repack respect wait
    """,
}
# fmt: on

_ONLY: dict[str, str] = {"recheck": "<18", "lc_collate": "<9.5", "lc_ctype": "<9.5"}

_NOT_BARE = """
    array as char character create day except fetch filter for from grant group having hour intersect into
    isnull limit minute month notnull offset on order over overlaps precision returning second to union
    varying where window with within without year
"""

_KEY_WORDS: dict[str, VersionSet] = {
    **{word: VersionSet(since) for since, words in _SINCE.items() for word in words.split()},
    **{word: VersionSet(versions) for word, versions in _ONLY.items()},
}

BARE_LABELS = VersionSet(">=14")
"""Servers that accept a key word as a label without AS, unless it is in the following list
(https://www.postgresql.org/docs/release/14.0/)."""

_NEEDS_AS: dict[str, VersionSet] = {
    **dict.fromkeys(_NOT_BARE.split(), BARE_LABELS),
    "ignore": VersionSet(">=19"),
    "respect": VersionSet(">=19"),
}


@dataclass(frozen=True, slots=True)
class FollowingWord:
    """A word that can follow an expression and continue the statement.

    Parameters:
        versions: the servers that know it.
        after_label: whether it can also follow a column's label.
        takes_expression: whether a number can follow it.
        before_sum: whether it belongs to the last number of a sum, as ``1 + (1 COLLATE ...)``: it has a higher
            precedence than ``+`` and ``-``.
    """

    versions: VersionSet
    after_label: bool
    takes_expression: bool
    before_sum: bool = False


_ALL = VersionSet("all")
CONTINUATIONS: dict[str, FollowingWord] = {
    **{word: FollowingWord(_ALL, True, True) for word in ("having", "limit", "offset", "where")},
    **{
        word: FollowingWord(_ALL, True, False)
        for word in (
            "except",
            "fetch",
            "for",
            "from",
            "group",
            "intersect",
            "into",
            "order",
            "union",
            "window",
        )
    },
    **{word: FollowingWord(_ALL, False, True) for word in ("and", "between", "ilike", "like", "or")},
    **{word: FollowingWord(_ALL, False, False) for word in ("as", "in", "is", "operator", "similar")},
    # "Operator Precedence" (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-PRECEDENCE)
    **{word: FollowingWord(_ALL, False, False, before_sum=True) for word in ("at", "collate")},
    # From 9.5 on the parser looks one word further than NOT before it takes it.
    "not": FollowingWord(VersionSet("<9.5"), False, False),
}

TESTS: dict[str, bool] = {"isnull": False, "notnull": True}
"""Postfix operators, and their value for a number."""


def is_key_word(word: str, version: PgVersion) -> bool:
    """Whether this word (in lower case) is a key word on a server of this version."""
    return word in _KEY_WORDS and version in _KEY_WORDS[word]


def all_key_words() -> list[str]:
    """All words that are key words on any server, shortest first."""
    return sorted(_KEY_WORDS, key=lambda word: (len(word), word))


def is_ever_key_word(word: str) -> bool:
    """Whether this word (in lower case) is a key word on any server."""
    return word in _KEY_WORDS


def is_label(word: str, version: PgVersion) -> bool:
    """Whether this word (in lower case) can label the expression before it without AS."""
    if not is_key_word(word, version):
        return True
    return version in BARE_LABELS and not (word in _NEEDS_AS and version in _NEEDS_AS[word])
