"""Entries of the release notes that no behavior observes, each with its reason."""

from typing import NamedTuple

from pytest_pgfeatures.affects import EvidenceKind, ParseNode, SettingUsed, Unseen

C_CODE = "is about C code that uses the server's headers or hooks"
OTHER_SYSTEM = "is about another operating system"
NOT_TO_BE_HAD = "needs a component that isn't available"
IN_C = Unseen("readiness doesn't read the source code of C extensions: run pgfeatures extension")


class Reason(NamedTuple):
    """Why an entry has no behavior."""

    reason: str
    """One of the constants of this module."""
    tried: str
    """The missing component, and what was tried."""
    affects: tuple[EvidenceKind, ...] = ()
    """The evidence that an application is affected."""


WITHOUT_BEHAVIOR: dict[str, Reason] = {
    "10.22": Reason(
        NOT_TO_BE_HAD,
        "It needs a server older than 8.0, and pg_dump of 9.6. The sources have servers from 9.3 on, and"
        " pg_dump from 13 on.",
        (Unseen("no input shows the version of the server that pg_dump reads"),),
    ),
    "15.5": Reason(
        NOT_TO_BE_HAD,
        "It needs a build with plpython2u. The available builds of 9.3 to 14 have plpython3u or no"
        " PL/Python.",
        (
            ParseNode("DefElem", defname="^language$", arg="^plpython2?u$"),
            ParseNode("CreateExtensionStmt", "AlterExtensionStmt", extname="^plpython2?u$"),
        ),
    ),
    "15.31": Reason(C_CODE, "Custom scan providers: a flag that a C extension sets.", (IN_C,)),
    "16.x7": Reason(C_CODE, "Symbols that extensions' libraries export to each other.", (IN_C,)),
    "17.7": Reason(
        OTHER_SYSTEM,
        "A value of wal_sync_method on Windows.",
        (SettingUsed("wal_sync_method", value="fsync_writethrough"),),
    ),
    "19.14": Reason(C_CODE, "The return value of an index access method's handler.", (IN_C,)),
    "19.15": Reason(C_CODE, "The hook get_relation_info_hook.", (IN_C,)),
}
"""By key."""
