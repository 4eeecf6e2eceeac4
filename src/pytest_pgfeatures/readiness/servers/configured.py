"""Start both servers with a configuration, without the settings that refer to other files or hosts."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.readiness.model import Finding, StageReport
from pytest_pgfeatures.settings_file import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.readiness.model import SettingUse
    from pytest_pgfeatures.readiness.servers.trial import Trial

_PRELOADING = frozenset({"shared_preload_libraries", "session_preload_libraries", "local_preload_libraries"})
_OF_THE_MACHINE = {
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
_SUMMARY = "configuration file "
_PREFIX = re.compile(r"^.*?\b(?:FATAL|PANIC|ERROR|LOG):  ")
_WORD = re.compile(r"[\w.]+")


def start_with(trial: Trial, uses: Sequence[SettingUse], refused: set[str]) -> StageReport:
    """Start a server of each version with the settings of files.

    Parameters:
        uses: settings of files. The last one of each name counts.
        refused: the settings that a server rejects, which are already reported.
    """
    settings, replaced = startable(uses, refused)
    problems, answers = [], []
    for install in trial.installs:
        chosen, lacking = with_libraries(install, settings)
        problems += [
            f"{name}: {library} is not in the install of {install.version}; started without"
            for name, missing in lacking.items()
            for library in missing
        ]
        answers.append(_start(trial, install, chosen))
    if replaced:
        reasons = {why: [name for name in replaced if replaced[name] == why] for why in replaced.values()}
        omitted = "; ".join(f"{', '.join(names)}: {why}" for why, names in reasons.items())
        problems.append(f"the servers were started without these settings: {omitted}")
    old, new = answers
    findings: tuple[Finding, ...] = ()
    if old is not None:
        problems.append(f"{trial.pair.old} does not start with this configuration: {old}")
    elif new is not None:
        words = set(_WORD.findall(new.lower()))
        blamed = next((use for use in reversed(uses) if use.name.lower() in words), None)
        options = " ".join(f"--setting {shlex.quote(f'{name}={value}')}" for name, value in chosen.items())
        findings = (
            Finding(
                "settings", "error", "affects", f"{trial.pair.new} does not start with this configuration: {new}",
                "correct the setting that the server names",
                place=blamed.place if blamed else None, excerpt=blamed.text if blamed else "",
                proof=f"pgfeatures run --pg {trial.requests[1]} {options} -- true",
            ),
        )  # fmt: skip
    return StageReport("settings", findings, problems=tuple(problems))


def startable(uses: Sequence[SettingUse], refused: set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The settings with which a server starts here, and those that are left out, with the reason."""
    replaced: dict[str, str] = {}
    settings: dict[str, str] = {}
    for use in uses:
        name = use.name.lower()
        why = (
            LEFT_OUT.get(name)
            or _OF_THE_MACHINE.get(name)
            or ("" if use.is_known else "a template writes their values")
        )
        if why:
            replaced[name] = why
        elif name not in refused:
            settings[name] = use.value
    return settings, replaced


def with_libraries(
    install: Install, settings: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Split settings into those with which an install can start, and the missing libraries by setting."""
    chosen, lacking = dict(settings), {}
    for name in sorted(_PRELOADING & settings.keys()):
        names = [each.strip().strip('"') for each in settings[name].split(",") if each.strip()]
        # a path would lead to a file of whoever wrote the configuration
        own = {each: each.rpartition("/")[2].removesuffix(".so") for each in names}
        lacking[name] = [each for each in names if not install.has(f"contrib:{own[each]}")]
        chosen[name] = ", ".join(own[each] for each in names if each not in lacking[name])
    return chosen, lacking


def _start(trial: Trial, install: Install, settings: dict[str, str]) -> str | None:
    """Start a server and remove it. Return why it does not start; None if it does."""
    try:
        trial.clusters.remove(
            trial.clusters.create(install, name=f"configured-{install.version.major}", settings=settings)
        )
    except ServerError as error:
        said = [match[1] for line in error.details if (match := _SAID.search(line))]
        lines = [_PREFIX.sub("", line.strip()) for line in error.details if line.strip()]
        reasons = (each for each in said if not each.startswith(_SUMMARY))
        return next(reasons, [error.problem, *lines, *said[-1:]][-1])
    return None
