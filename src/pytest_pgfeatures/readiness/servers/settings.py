"""Ask servers whether they accept the values of settings, and start with a configuration."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

import psycopg
from psycopg import sql

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.install import Install
from pytest_pgfeatures.readiness.model import Finding, Found, SettingUse
from pytest_pgfeatures.readiness.servers.loading import NO_OBJECT, Progress, Refusal, tried, undone
from pytest_pgfeatures.readiness.servers.side import Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.settings_file import LEFT_OUT
from pytest_pgfeatures.version import VersionSet

_HAS_ALTER_SYSTEM = VersionSet(">=9.4")  # https://www.postgresql.org/docs/release/9.4.0/
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_FIXED = "55P02"  # ALTER SYSTEM can't change it
_SECONDS = 60.0  # the time that the answer about one setting may take


def ask_settings(
    side: Side, uses: Sequence[SettingUse], progress: Progress = lambda _: None
) -> list[Refusal | None]:
    """Ask a server whether it accepts each value; None for each that it does. ALTER SYSTEM checks the value, and
    writes a file that no server reads."""
    answers = []
    with side.superuser() as connection, Watchdog(connection, _SECONDS) as watchdog:
        if side.install.version not in _HAS_ALTER_SYSTEM:
            said = (undone(watchdog, _set, use) if use.is_known else None for use in uses)
            return [None if each and each.sqlstate == _FIXED else each for each in said]
        for number, use in enumerate(uses, start=1):
            answers.append(_answer(watchdog, use))
            progress(number)
        connection.execute("ALTER SYSTEM RESET ALL")
    return answers


def _answer(watchdog: Watchdog, use: SettingUse) -> Refusal | None:
    value = sql.Literal(use.value) if use.is_known else sql.SQL("DEFAULT")
    statement = sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(*use.name.split(".")), value)
    refusal = tried(watchdog, watchdog.connection.execute, statement)
    if (
        not isinstance(refusal, Refusal)
        or refusal.sqlstate == _FIXED  # not a setting for files: its value can't be checked
        or (use.kind == "statement" and refusal.sqlstate == NOT_ALLOWED)
        or ("." in use.name and refusal.sqlstate == NO_OBJECT)  # of an extension that is not loaded
    ):
        return None
    if use.kind == "file" or refusal.sqlstate == NO_OBJECT:
        return refusal
    in_session = undone(watchdog, _set, use)
    return refusal if in_session and in_session.sqlstate == _FIXED else in_session


def _set(connection: psycopg.Connection, use: SettingUse) -> None:
    """Set a value for a transaction. The server refuses some settings there, whatever the value."""
    connection.execute("SELECT set_config(%s, %s, true)", [use.name, use.value])


_PRELOADING = frozenset({"shared_preload_libraries", "session_preload_libraries", "local_preload_libraries"})
_LEFT_OUT = LEFT_OUT | {
    name: why
    for why, names in {
        "needs the memory of its host":
            "shared_buffers huge_pages huge_page_size min_dynamic_shared_memory shared_memory_type",
        "depends on its host's kernel": "io_method dynamic_shared_memory_type",
        "files or commands of its host":
            "archive_cleanup_command recovery_end_command primary_slot_name ssl_passphrase_command"
            " recovery_target_timeline promote_trigger_file ssl_library temp_tablespaces default_tablespace"
            " dynamic_library_path extension_control_path jit_provider stats_temp_directory",
        "locales of its host": "lc_messages lc_monetary lc_numeric lc_time",
        "runs code when the language is loaded":
            "plperl.on_init plperl.on_plperl_init plperl.on_plperlu_init pltcl.start_proc pltclu.start_proc",
        "waits for other hosts": "synchronous_standby_names",
    }.items()
    for name in names.split()
}  # fmt: skip
_SAID = re.compile(
    r"\b(?:FATAL|LOG|ERROR):  ((?:.*\bparameter\b|.*\bvalue\b|.*\bmust\b|could not |configuration file ).*)"
)
_PREFIX = re.compile(r"^.*?\b(?:FATAL|PANIC|ERROR|LOG):  ")


def start_with(trial: Trial, uses: Sequence[SettingUse], refused: set[str]) -> Iterator[Found]:
    """Start a server of each version with the settings of files, of which the last one of each name counts. Those
    that a server has refused are already reported."""
    started = [(install, *startable(install, uses, refused)) for install in trial.installs]
    yield from dict.fromkeys(problem for *_, problems in started for problem in problems)
    old, new = (_start(trial, install, chosen) for install, chosen, _ in started)
    if old is not None:
        yield f"{trial.pair.old} does not start with this configuration: {old}"
    elif new is not None:
        words = set(re.findall(r"[\w.]+", new.lower()))
        blamed = next((use for use in reversed(uses) if use.name.lower() in words), None)
        given = (f"{name}={value}" for name, value in started[1][1].items())
        options = " ".join(f"--setting {shlex.quote(each)}" for each in given)
        yield Finding(
            "settings", "error", "affects", f"{trial.pair.new} does not start with this configuration: {new}",
            "correct the setting that the server names",
            place=blamed.place if blamed else None, excerpt=blamed.text if blamed else "",
            proof=f"pgfeatures run --pg {trial.requests[1]} {options} -- true",
        )  # fmt: skip


def startable(
    install: Install, uses: Sequence[SettingUse], refused: set[str]
) -> tuple[dict[str, str], list[str]]:
    """The settings with which an install can start here, and what it starts without, with the reasons."""
    settings: dict[str, str] = {}
    left_out: dict[str, dict[str, None]] = {}
    for use in uses:
        name = use.name.lower()
        if why := _LEFT_OUT.get(name, "" if use.is_known else "a template writes their values"):
            left_out.setdefault(why, {})[name] = None
        elif name not in refused:
            settings[name] = use.value
    reasons = "; ".join(f"{', '.join(some)}: {why}" for why, some in left_out.items())
    problems = [f"the servers were started without these settings: {reasons}"] if reasons else []
    for name in sorted(_PRELOADING & settings.keys()):
        names = [each.strip().strip('"') for each in settings[name].split(",") if each.strip()]
        # a path would lead to a file of whoever wrote the configuration
        own = {each: each.rpartition("/")[2].removesuffix(".so") for each in names}
        missing = [each for each in names if not install.has(f"contrib:{own[each]}")]
        said = f"is not in the install of {install.version}; started without"
        problems += (f"{name}: {library} {said}" for library in missing)
        settings[name] = ", ".join(own[each] for each in names if each not in missing)
    return settings, problems


def _start(trial: Trial, install: Install, settings: dict[str, str]) -> str | None:
    """Start a server and remove it. Return why it does not start; None if it does."""
    try:
        name = f"configured-{install.version.major}"
        trial.clusters.remove(trial.clusters.create(install, name=name, settings=settings))
    except ServerError as error:
        said = [match[1] for line in error.details if (match := _SAID.search(line))]
        reasons = [each for each in said if not each.startswith("configuration file ")]
        lines = [_PREFIX.sub("", line.strip()) for line in error.details if line.strip()]
        return (reasons or said[-1:] or lines[-1:] or [error.problem])[0]
    return None
