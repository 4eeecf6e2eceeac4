"""Functions that read the values of options. Each checks the type; its error says what to write instead."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.extension.excluded import Excluded
from pytest_pgfeatures.extension.known import KnownFailure
from pytest_pgfeatures.extension.model import KINDS, STAGE_NAMES, NamedTests
from pytest_pgfeatures.project_file import Seconds, converted
from pytest_pgfeatures.server.upgrade import MODES
from pytest_pgfeatures.settings import as_setting
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

_MODES = tuple(mode.name for mode in MODES)


def read_value(name: str, value: Any, where: str) -> Any:
    """Check and return the value of an option.

    Raises:
        PgFeaturesError: the value has the wrong type, or is not valid.
    """
    reader = _READERS.get(name)
    return reader(name, value, where) if reader else converted(name, value, _TYPES.get(name, str), where)


def _list(name: str, value: Any, where: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(name, value, where, "a list in [ ]")
    return value


def _texts(name: str, value: Any, where: str) -> tuple[str, ...]:
    return tuple(map(str, _list(name, value, where)))


def _table(name: str, value: Any, where: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise _wrong(name, value, where, f'a table, such as {name} = {{ NAME = "value" }}')
    return {str(key): as_setting(entry) for key, entry in value.items()}


def _stages(name: str, value: Any, where: str) -> tuple[str, ...]:
    entries = _texts(name, value, where)
    for entry in entries:
        _check_stage(entry, where)
    return entries


def _modes(name: str, value: Any, where: str) -> tuple[str, ...]:
    entries = _texts(name, value, where)
    for entry in entries:
        if entry not in _MODES:
            raise PgFeaturesError(
                f"{where}: pg_upgrade has no mode {entry!r}", remedy=f"the modes are {', '.join(_MODES)}"
            )
    return entries


def _known_failures(name: str, value: Any, where: str) -> tuple[KnownFailure, ...]:
    return tuple(_known(entry, where) for entry in _list(name, value, where))


def _suites(name: str, value: Any, where: str) -> tuple[NamedTests, ...]:
    return tuple(_suite(entry, where) for entry in _list(name, value, where))


def _suite(entry: Any, where: str) -> NamedTests:
    """Read a suite. A text is a shell command."""
    if isinstance(entry, str):
        entry = {"name": entry.split()[0] if entry.split() else "", "command": entry}
    known = [each.name for each in fields(NamedTests)]
    if (
        not isinstance(entry, dict)
        or not entry.get("name")
        or set(entry) - set(known)
        or sum(bool(entry.get(way)) for way in ("command", "make", "pg_prove")) != 1
    ):
        raise PgFeaturesError(
            f"{where}: the test {entry!r} does not say how to run it",
            remedy='write { name = "more", command = "..." }, or with make = "TARGET" or pg_prove = ["test/*.sql"] '
            "in place of command; sql is run before",
        )
    values = {key: tuple(part) if isinstance(part, list) else str(part) for key, part in entry.items()}
    if isinstance(values.get("pg_prove"), str):
        values["pg_prove"] = (str(values["pg_prove"]),)
    return NamedTests(**values)  # type: ignore[arg-type]


def _wrong(name: str, value: Any, where: str, remedy: str) -> PgFeaturesError:
    return PgFeaturesError(f"{where}: {name} = {value!r} has the wrong type", remedy=f"write {remedy}")


def _check_stage(name: str, where: str) -> None:
    if name not in STAGE_NAMES:
        raise PgFeaturesError(
            f"{where}: there is no stage {name!r}", remedy=f"the stages are {', '.join(STAGE_NAMES)}"
        )


def _known(entry: Any, where: str) -> KnownFailure:
    """Read a known failure. On the command line, its form is ``stage:versions[:kind:name][:reason]``."""
    if isinstance(entry, str):
        entry = _from_text(entry)
    parts = ("stage", "pg", "reason")
    if not isinstance(entry, dict) or not all(str(entry.get(part, "")).strip() for part in parts):
        raise PgFeaturesError(
            f"{where}: the known failure {entry!r} does not say stage, pg and reason",
            remedy='write { stage = "regress", pg = "18", reason = "why" }, or regress:18:why on the command line; '
            "for one object of a stage, dump:18:table:public.cache:why",
        )
    if unknown := set(entry) - {*parts, "object"}:
        raise PgFeaturesError(
            f"{where}: a known failure has no {', '.join(sorted(unknown))}",
            remedy="it has stage, pg, reason, and object for one object of the stage",
        )
    _check_stage(entry["stage"], where)
    named = str(entry.get("object", ""))
    if named and named.partition(":")[0] not in KINDS:
        raise PgFeaturesError(
            f"{where}: a known failure has no object {named!r}",
            remedy=f"write a kind and a name, such as table:public.cache; the kinds are {', '.join(KINDS)}",
        )
    return KnownFailure(entry["stage"], VersionSet(str(entry["pg"])), str(entry["reason"]), named)


def _exclusions(name: str, value: Any, where: str) -> tuple[Excluded, ...]:
    return tuple(_excluded(entry, where) for entry in _list(name, value, where))


def _excluded(entry: Any, where: str) -> Excluded:
    """Read an exclusion. On the command line, its form is ``kind:pattern:reason``."""
    if isinstance(entry, str):
        kind, _, rest = entry.partition(":")
        pattern, _, reason = rest.partition(":")
        entry = {"object": f"{kind}:{pattern}", "reason": reason}
    if (
        not isinstance(entry, dict)
        or set(entry) - {"object", "pg", "reason"}
        or not str(entry.get("reason", "")).strip()
        or str(entry.get("object", "")).partition(":")[0] not in KINDS
    ):
        raise PgFeaturesError(
            f"{where}: the exclusion {entry!r} does not say object and reason",
            remedy='write { object = "script:*--1.*", reason = "why" }, with pg = "18" for some versions only, '
            f"or script:*--1.*:why on the command line; the kinds of objects are {', '.join(KINDS)}",
        )
    pg = VersionSet(str(entry["pg"])) if "pg" in entry else None
    return Excluded(str(entry["object"]), str(entry["reason"]), pg)


def _from_text(text: str) -> dict[str, str]:
    stage, _, rest = text.partition(":")
    pg, _, reason = rest.partition(":")
    kind, _, rest = reason.partition(":")
    if kind not in KINDS or not rest:
        return {"stage": stage, "pg": pg, "reason": reason}
    name, _, reason = rest.partition(":")
    return {
        "stage": stage,
        "pg": pg,
        "object": f"{kind}:{name}",
        "reason": reason or "declared without a reason",
    }


_READERS: dict[str, Callable[[str, Any, str], Any]] = {
    "stages": _stages,
    "shared_preload_libraries": _texts,
    "settings": _table,
    "make": _table,
    "modes": _modes,
    "known_failures": _known_failures,
    "excluded": _exclusions,
    "requires": _texts,
    "tablespaces": _texts,
    "test": _suites,
}
"""The function that reads each option, unless its value is of a plain type."""
_TYPES = {"timeout": Seconds, "strict": bool, "tcp": bool}  # of options that are no texts
