"""Reads settings from a ``postgresql.conf``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEFT_OUT: dict[str, str] = {
    **dict.fromkeys(
        ("listen_addresses", "port", "unix_socket_directories", "unix_socket_directory", "unix_socket_group"),
        "how the server is found",
    ),
    **dict.fromkeys(
        (
            *("data_directory", "config_file", "hba_file", "ident_file", "external_pid_file"),
            *("ssl", "ssl_cert_file", "ssl_key_file", "ssl_ca_file", "ssl_crl_file", "ssl_crl_dir"),
            *("ssl_dh_params_file", "krb_server_keyfile"),
        ),
        "files of its host",
    ),
    **dict.fromkeys(
        ("log_destination", "logging_collector", "log_directory", "log_filename", "log_line_prefix"),
        "the server's log is read by us",
    ),
    **dict.fromkeys(
        ("archive_mode", "archive_command", "archive_library", "primary_conninfo", "restore_command"),
        "leads to other hosts",
    ),
}
"""Settings that locate a server and its files, and the reasons why they don't apply in a test."""
_DEEPEST = 10
"""The maximum nesting depth of included files, as in the server."""
_NAME = r"[A-Za-z_][\w$]*"
_NUMBER = r"[-+]?(?:0x[0-9A-Fa-f]+|\d+|\d*\.\d*(?:[eE][-+]?\d+)?)[A-Za-z]*"
_WORD = r"[A-Za-z_][\w.:/-]*"
_LINE = re.compile(  # as in guc-file.l of PostgreSQL's source
    rf"""
    [ \t]* (?P<name>{_NAME}(?:\.{_NAME})*)
    (?: [ \t]*=[ \t]* | [ \t]+ )
    (?: '(?P<quoted>(?:[^'\\]|\\.|'')*)' | (?P<plain>{_NUMBER}|{_WORD}) )
    [ \t]* (?:\#.*)?
    """,
    re.VERBOSE,
)
_NOTHING = re.compile(r"[ \t]*(?:#.*)?")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class SettingLine(NamedTuple):
    """A setting in a file.

    Parameters:
        name: in lower case.
        value: without quotes.
        file: the file, which may be one that another includes.
        line, column: where the name is, counted from 1.
        text: the line.
    """

    name: str
    value: str
    file: Path
    line: int
    column: int
    text: str


def read_settings(path: Path) -> dict[str, str]:
    """Return the settings of a ``postgresql.conf`` and its included files; the last value of each name counts.

    Settings that locate the server, its files and its log, or refer to other hosts, are left out
    (:data:`LEFT_OUT`): they are specific to the server's host and don't apply in a test.

    Parameters:
        path: the file.

    Raises:
        PgFeaturesError: a file can't be read, or one of its lines is not a setting.

    https://www.postgresql.org/docs/current/config-setting.html#CONFIG-SETTING-CONFIGURATION-FILE
    """
    return {line.name: line.value for line in setting_lines(path) if line.name not in LEFT_OUT}


def setting_lines(path: Path, text: str | None = None) -> Iterator[SettingLine]:
    """Yield all settings of a ``postgresql.conf`` and its included files, in order.

    Parameters:
        text: the file's text, if it is known.

    Raises:
        PgFeaturesError: a file can't be read, or one of its lines is not a setting.
    """
    return _read(path, 1, text)


def _read(path: Path, depth: int, text: str | None = None) -> Iterator[SettingLine]:
    if depth > _DEEPEST:
        raise PgFeaturesError(f"{path}: files include each other more than {_DEEPEST} levels deep")
    try:
        text = read_regular_text(path, errors="surrogateescape") if text is None else text
    except OSError as error:
        raise PgFeaturesError(
            f"can't read settings from {path}: {error.strerror}", remedy="name a postgresql.conf"
        ) from error
    for number, line in enumerate(text.split("\n"), 1):
        if _NOTHING.fullmatch(line.rstrip("\r")):
            continue
        match = _LINE.fullmatch(line.rstrip("\r"))
        if match is None:
            raise PgFeaturesError(
                f"{path}, line {number}: not a setting: {line.strip()}",
                remedy="write name = value, with quotes around a value that is no plain word or number",
            )
        name = match["name"].lower()
        value = match["plain"] if match["quoted"] is None else _unquoted(match["quoted"])
        if name not in ("include", "include_if_exists", "include_dir"):
            yield SettingLine(name, value, path, number, match.start("name") + 1, line.rstrip("\r"))
            continue
        for included in included_files(name, path.parent / value):
            yield from _read(included, depth + 1)


def included_files(directive: str, path: Path) -> list[Path]:
    """Return the files that a directive includes, also one of pg_hba.conf and pg_ident.conf."""
    if directive == "include_dir":
        return sorted(file for file in path.glob("*.conf") if not file.name.startswith("."))
    return [path] if directive == "include" or path.exists() else []


def _unquoted(text: str) -> str:
    """Return the text between quotes, with escapes resolved."""

    def meant(match: re.Match[str]) -> str:
        if match[0] == "''":
            return "'"
        if match["octal"]:
            return chr(int(match["octal"], 8) & 0xFF)
        return _ESCAPES.get(match["other"], match["other"])

    return re.sub(r"''|\\(?:(?P<octal>[0-7]{1,3})|(?P<other>.))", meant, text)
