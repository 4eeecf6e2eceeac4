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
    **dict.fromkeys(
        ("shared_buffers", "huge_pages", "huge_page_size", "min_dynamic_shared_memory", "shared_memory_type"),
        "needs the memory of its host",
    ),
    **dict.fromkeys(("io_method", "dynamic_shared_memory_type"), "depends on its host's kernel"),
    **dict.fromkeys(
        ("archive_cleanup_command", "recovery_end_command", "primary_slot_name", "ssl_passphrase_command",
         "recovery_target_timeline", "promote_trigger_file", "ssl_library", "temp_tablespaces",
         "default_tablespace", "dynamic_library_path", "extension_control_path", "jit_provider",
         "stats_temp_directory"),
        "files or commands of its host",
    ),
    **dict.fromkeys(("lc_messages", "lc_monetary", "lc_numeric", "lc_time"), "locales of its host"),
    **dict.fromkeys(
        ("plperl.on_init", "plperl.on_plperl_init", "plperl.on_plperlu_init", "pltcl.start_proc",
         "pltclu.start_proc"),
        "runs code when the language is loaded",
    ),
    "synchronous_standby_names": "waits for other hosts",
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
    problems = []
    answers = []
    for install in trial.installs:
        chosen, lacking = with_libraries(install, settings)
        problems += [
            f"{name}: {library} is not in the install of {install.version}; started without"
            for name, missing in lacking.items()
            for library in missing
        ]
        answers.append(_start(trial, install, chosen))
    if replaced:
        reasons: dict[str, list[str]] = {}
        for name, why in replaced.items():
            reasons.setdefault(why, []).append(name)
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


_OF_TEMPLATE = "a template writes their values"


def startable(uses: Sequence[SettingUse], refused: set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The settings with which a server starts here, and those that are left out, with the reason."""
    replaced: dict[str, str] = {}
    settings: dict[str, str] = {}
    for use in uses:
        name = use.name.lower()
        why = LEFT_OUT.get(name) or _OF_THE_MACHINE.get(name) or ("" if use.is_known else _OF_TEMPLATE)
        if why:
            replaced[name] = why
        elif name not in refused:
            settings[name] = use.value
    return settings, replaced


def with_libraries(
    install: Install, settings: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Split settings into those with which an install can start, and the missing libraries by setting."""
    chosen = dict(settings)
    lacking = {}
    for name in sorted(_PRELOADING & settings.keys()):
        kept, lacking[name] = _libraries(install, settings[name])
        chosen[name] = ", ".join(kept)
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
        lasts = [*said[-1:], *lines[-1:], error.problem]
        return next((each for each in said if not each.startswith(_SUMMARY)), lasts[0])
    return None


def _libraries(install: Install, value: str) -> tuple[list[str], list[str]]:
    """Split a list of libraries into those that an install has, without directories, and the others.

    A path would lead to a file of whoever wrote the configuration.
    """
    names = [name.strip().strip('"') for name in value.split(",") if name.strip()]
    own = {name: name.rpartition("/")[2].removesuffix(".so") for name in names}
    kept = [name for name in names if install.has(f"contrib:{own[name]}")]
    return [own[name] for name in kept], [name for name in names if name not in kept]
