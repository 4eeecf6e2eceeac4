"""The schema of a database as SQL: each object by its type and name."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.model import StageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster

_HEADER = re.compile(
    r"^--\n-- (?:Data for )?Name: (?P<name>.*?); Type: (?P<type>.*?); .*\n--\n", re.MULTILINE
)
# Statements that pg_dump --binary-upgrade adds only for pg_upgrade. Their numbers differ between databases.
_FOR_PG_UPGRADE = re.compile(
    r"^SELECT pg_catalog\.binary_upgrade_.*\n"
    r"|^UPDATE pg_catalog\.pg_(?:class|attribute|database)\nSET (?:.*\n)*?.*;\n"
    r"|^ALTER (?:FOREIGN )?TABLE ONLY .* DROP COLUMN \"\.{8}pg\.dropped\.\d+\.{8}\";\n"
    r"|^ +\"\.{8}pg\.dropped\.\d+\.{8}\".*\n"
    r"|^--.*\n|^SET .*\n|^SELECT pg_catalog\.set_config\('search_path'.*\n|^\\(?:un)?restrict .*\n",
    re.MULTILINE,
)
_UNORDERED = {
    "ACL": r"(GRANT|REVOKE) ",
    "DEFAULT ACL": r"(ALTER DEFAULT PRIVILEGES) ",
    "FUNCTION": r"    (SET) ",
    "PROCEDURE": r"    (SET) ",
    "OPERATOR CLASS": r"    (FUNCTION|OPERATOR) ",
    "OPERATOR FAMILY": r"    (FUNCTION|OPERATOR) ",
}
"""Lines whose order has no meaning, by the type of object. pg_dump keeps the order in which they were added."""
_OPTIONS = re.compile(r"\bWITH \((\w+=[^()]*)\)")
"""Storage parameters. pg_dump keeps their order, too."""
_BODY = "\n    AS "


def objects(workspace: Workspace, dbname: str, cluster: Cluster | None = None) -> dict[str, str]:
    """The SQL of each object in a database, including the objects of extensions, by type and name. The default
    server is the scratch server.

    The SQL is the output of pg_dump in its mode for pg_upgrade, which dumps each object of an extension.
    """
    text = _pg_dump(
        workspace,
        cluster or workspace.scratch,
        workspace.install_copy,
        "--schema-only",
        "--binary-upgrade",
        dbname,
    )
    found: dict[str, str] = {}
    for kind, name, body in _sections(text):
        if kind == "EXTENSION" or not body:
            continue
        sql = _ordered(kind, body)
        key = f"{kind} {name}"
        found[key] = f"{found[key]}\n{sql}" if key in found else sql
    return found


def _ordered(kind: str, sql: str) -> str:
    """Sort what has no order, so that only differences of meaning remain."""
    if kind.endswith("TABLE"):  # the last column has no comma, unless a dropped one came after it
        sql = "\n".join(line.rstrip(",") for line in sql.splitlines())
    if kind.endswith(("TABLE", "INDEX", "VIEW")):
        return _OPTIONS.sub(lambda found: f"WITH ({', '.join(sorted(found[1].split(', ')))})", sql)
    if kind not in _UNORDERED:
        return sql
    head, separator, body = sql.partition(_BODY if kind in ("FUNCTION", "PROCEDURE") else "\0")
    lines: list[str] = []
    for kept, run in itertools.groupby(
        head.splitlines(), lambda line: match[1] if (match := re.match(_UNORDERED[kind], line)) else ""
    ):
        found = list(run)
        lines += sorted(line.rstrip(" ,;") for line in found) if kept else found
    return "\n".join(lines) + separator + body


def _sections(text: str) -> Iterator[tuple[str, str, str]]:
    """Split a dump into its objects: type and name, and the SQL."""
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    for header, end in zip(headers, ends, strict=False):
        body = _FOR_PG_UPGRADE.sub("", text[header.end() : end]).strip()
        yield header["type"], header["name"], re.sub(r"\n{3,}", "\n\n", body)


def _pg_dump(workspace: Workspace, cluster: Cluster, tools: Install, *arguments: str) -> str:
    lender = tools if tools.has("pg_dump") else workspace.clusters.resolver.client("pg_dump", tools.version)
    ended = workspace.run([lender.program("pg_dump"), *arguments], cluster=cluster, install=lender)
    if ended.status != 0:
        raise StageError(
            f"pg_dump of {lender.version} ended with status {ended.status}",
            tuple(ended.output.splitlines()[-20:]),
        )
    return ended.output
