"""``pgfeatures doctor``: show everything that was probed, found or missing, and why."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pytest_pgfeatures.cli.list import show_installs
from pytest_pgfeatures.cli.result_files import json_option, write_files
from pytest_pgfeatures.errors import DownloadError, PgFeaturesError, StoreError, UnusableInstallError
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.install import account, maven, pypi, store, system
from pytest_pgfeatures.install.lockfile import LockFile
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.install.resolve import OFFLINE_VARIABLE, Resolver
from pytest_pgfeatures.install.store import LOCK_NAME
from pytest_pgfeatures.report.install_documents import (
    DoctorDocument,
    FactObject,
    InstallObject,
    SectionObject,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import Console

    from pytest_pgfeatures.install.inventory import Inventory
    from pytest_pgfeatures.install.model import Install
    from pytest_pgfeatures.install.release import Release

    _Show = Callable[[str, Iterable[tuple[str, str]]], None]

VARIABLES = (store.VARIABLE, OFFLINE_VARIABLE, system.PATH_VARIABLE, account.VARIABLE)
CLIENTS = {"pypi": "pip", "maven": "jgo"}
_LINES_SHOWN = 5


@click.command("doctor")
@click.option(
    "--deep",
    is_flag=True,
    help="Check all files of the installs in the store, and download damaged ones again.",
)
@json_option("the sections, and the installs at hand,")
def command(deep: bool, json_file: Path | None) -> None:
    """Show all sources, installs and capabilities that were found or are missing, and why.

    The exit status is 1 if no server is available, or if an install is damaged and can't be downloaded again.
    """
    from rich.console import Console

    sections: list[SectionObject] = []
    show = _showing(Console(highlight=False, soft_wrap=False), sections)
    show("host", _host())
    _places(show)
    try:
        resolver = Resolver()
    except PgFeaturesError as error:
        _trouble(show, "store", error)
        write_files((json_file, lambda path: write_json(path, DoctorDocument(tuple(sections)))))
        raise SystemExit(1) from None
    inventory = resolver.inventory
    show("store", _store(inventory))
    answers = _asked(inventory)
    show("registries", _registries(answers))
    show("building extensions", _headers(inventory))
    damaged = False
    if deep:
        checked = list(_checked(inventory))
        damaged = any(bad for _, _, bad in checked)
        show("all files of the installs in the store", [row[:2] for row in checked])
    for name, trouble in _unusable(inventory):
        _trouble(show, f"can't be used: {name}", trouble)
    installs = _at_hand(inventory)
    document = DoctorDocument(tuple(sections), tuple(map(InstallObject.of, installs)))
    write_files((json_file, lambda path: write_json(path, document)))
    click.echo()
    click.secho("installs at hand", bold=True)
    show_installs(installs)
    if damaged:
        raise SystemExit(1)
    if not installs and not any(isinstance(answer, tuple) and answer for answer in answers.values()):
        raise SystemExit(1)


def _showing(console: Console, sections: list[SectionObject]) -> _Show:
    """Return a function that prints a section with a table of names and texts, and adds it to a list, for JSON."""
    from rich.table import Table
    from rich.text import Text

    def show(title: str, rows: Iterable[tuple[str, str]]) -> None:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        facts = tuple(FactObject(name, text) for name, text in rows)
        sections.append(SectionObject(title, facts))
        for each in facts:
            table.add_row(f"  {each.name}", Text(each.text))
        console.print(f"\n[bold]{title}[/]")
        console.print(table)

    return show


def _trouble(show: _Show, title: str, error: PgFeaturesError) -> None:
    rows = [("problem", error.problem), *(("", line) for line in error.details)]
    if error.remedy:
        rows.append(("what to do", error.remedy))
    show(title, rows)


def _host() -> Iterator[tuple[str, str]]:
    yield "platform", f"{this_platform().name} ({platform.platform()})"
    yield "Python", f"{platform.python_version()} ({sys.executable})"
    yield "pytest-pgfeatures", version("pytest-pgfeatures")
    try:
        user = account.server_account()
        yield "servers run as", f"{user.name}, because we are root" if user else "the user who runs the tests"
        if user is not None:
            yield "signals to servers", _signals(user.name)
    except PgFeaturesError as error:
        yield "servers run as", f"nobody: {error.problem}; {error.remedy}"
    for name in VARIABLES:
        yield name, os.environ.get(name) or "not set"


def _signals(user: str) -> str:
    if account.may_signal_others():
        return "root may send them"
    return (
        "CAP_KILL is missing: root may not send them. stop(), crash(), reload() and send_signal() work, and"
        f" servers end with the run: processes that run as {user} see to that. os.kill() in a test fails; use"
        " Cluster.send_signal()"
    )


def _places(show: _Show) -> None:
    found: dict[str, list[str]] = {place.packager: [] for place in system.PLACES}
    for bindir, packager in system.system_bindirs():
        found.setdefault(packager, []).append(str(bindir))
    patterns = {place.packager: place.pattern for place in system.PLACES}
    rows = [
        (packager, ", ".join(bindirs) or f"nothing else in {patterns[packager]}")
        for packager, bindirs in found.items()
    ]
    for program in ("postgres", "pg_config"):
        where = shutil.which(program)
        rows.append((f"{program} on PATH", where or "none"))
    show("places where packages put servers", sorted(rows, key=lambda row: row[1].startswith("no")))
    named = os.environ.get(system.PATH_VARIABLE, "")
    for part in filter(None, named.split(os.pathsep)):
        try:
            system.bindir_in(Path(part), f"{system.PATH_VARIABLE} names")
        except PgFeaturesError as error:
            _trouble(show, "path", error)


def _headers(inventory: Inventory) -> Iterator[tuple[str, str]]:
    """The headers that servers' own headers include and the machine lacks."""
    from pytest_pgfeatures.extension.install_copy import includedir_server
    from pytest_pgfeatures.extension.libraries import missing_headers

    complete = True
    for install in _at_hand(inventory):
        if not install.has("pgxs", "pg_config"):
            continue
        for header, missing, library in missing_headers(install, includedir_server(install)):
            complete = False
            yield (
                f"{install.version} from {install.source}",
                f"{header} includes {missing}, which is missing: {library.name} ({library.remedy})",
            )
    if complete:
        yield "headers", "the machine has those that the servers' own headers include"


def _store(inventory: Inventory) -> Iterator[tuple[str, str]]:
    root = inventory.store.root
    yield "root", str(root)
    yield (
        "can be written",
        "yes" if os.access(root, os.W_OK) else f"no: set {store.VARIABLE} to another directory",
    )
    yield "free space", f"{shutil.disk_usage(root).free / 1e9:.1f} GB"
    yield "installs", str(len(inventory.cached()))
    yield (
        "templates",
        str(sum(1 for path in inventory.store.templates.iterdir() if not path.name.startswith("."))),
    )
    yield "lock file", str(inventory.lock.path) if inventory.lock else "none in this directory"


def _asked(inventory: Inventory) -> dict[str, tuple[Release, ...] | DownloadError]:
    """Return each registry's current answer, ignoring cached ones; nothing when offline."""
    answers: dict[str, tuple[Release, ...] | DownloadError] = {}
    for source, ask in (
        () if inventory.offline else ((pypi.NAME, pypi.releases), (maven.NAME, maven.releases))
    ):
        try:
            answers[source] = ask()
        except DownloadError as error:
            answers[source] = error
    return answers


def _registries(answers: dict[str, tuple[Release, ...] | DownloadError]) -> Iterator[tuple[str, str]]:
    for source, client in CLIENTS.items():
        tool = f"{client} {version(client)}"
        answer = answers.get(source)
        if answer is None:
            yield source, f"not asked: offline ({OFFLINE_VARIABLE})"
        elif isinstance(answer, DownloadError):
            yield source, f"{answer.problem} (through {tool})"
            yield from (("", line) for line in answer.details)
            yield "", f"what to do: {answer.remedy}"
        else:
            newest = {release.version.major: release.version for release in answer}
            yield source, f"{len(answer)} releases, through {tool}"
            yield "", "newest: " + (", ".join(map(str, newest.values())) or "none for this platform")


def _checked(inventory: Inventory) -> Iterator[tuple[str, str, bool]]:
    """Compare all files in the store with the manifests. Return whether an install remains damaged."""
    from pytest_pgfeatures.install.manifest import find_all_damage, mark_damaged, read_record

    entries = LockFile(inventory.store.root / LOCK_NAME).entries()
    for number, source, bindir in inventory.cached():
        place, name = bindir.parent, f"{number} from {source}"
        damage = find_all_damage(place, entries)
        record = read_record(place)
        if not damage:
            known = record is not None and record.manifest
            yield (
                name,
                "as unpacked" if known else "can't be checked: unpacked before there were manifests",
                False,
            )
            continue
        yield name, f"damaged: {place}", False
        for line in damage[:_LINES_SHOWN]:
            yield "", f"  {line}", False
        if len(damage) > _LINES_SHOWN:
            yield "", f"  and {len(damage) - _LINES_SHOWN:,} more", False
        try:
            with inventory.store.explaining():
                mark_damaged(place, damage)
            inventory.renew(place, damage)
        except (DownloadError, StoreError) as error:
            yield "", f"{error.problem}; what to do: {error.remedy}", True
        else:
            yield "", "fetched anew", False


def _at_hand(inventory: Inventory) -> list[Install]:
    try:
        return sorted(inventory.at_hand(), key=lambda install: install.version)
    except PgFeaturesError:
        return []  # a PGFEATURES_PATH without a server, which is shown with the places


def _unusable(inventory: Inventory) -> Iterator[tuple[str, UnusableInstallError]]:
    for source in ("path", "system"):
        try:
            found = inventory.local(source)
        except PgFeaturesError:
            continue  # a PGFEATURES_PATH without a server, which is shown with the places
        for error in found:
            if isinstance(error, UnusableInstallError):
                yield source, error
    for number, source, bindir in inventory.cached():
        if damage := inventory.damage(bindir.parent, headers=True):
            yield (
                f"{number} from {source}",
                UnusableInstallError(
                    f"{bindir.parent} is damaged",
                    details=damage[:_LINES_SHOWN],
                    remedy="it is fetched anew when it is used next, or now by 'pgfeatures doctor --deep'",
                ),
            )
            continue
        try:
            inventory.probe(bindir, source)
        except UnusableInstallError as error:
            yield f"{number} from {source}", error
