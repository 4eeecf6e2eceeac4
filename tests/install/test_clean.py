"""Giving space back: everything but what is in use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.install.clean import clean


def link_or_copy(source, target):
    """A second name for the same file where both are on one file system: do not write into it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@pytest.fixture
def store(shared, empty_store):
    """A store with one real install, a template, and leftovers of both."""
    install = shared.resolve(parse_requests("maven:9.6")[0])
    target = empty_store.installs / install.bindir.parent.name
    shutil.copytree(install.bindir.parent, target, symlinks=True, copy_function=link_or_copy)
    (empty_store.templates / "pg9.6-0123456789abcdef").mkdir()
    (empty_store.templates / ".pg9.6-0123456789abcdef-99").mkdir()
    (empty_store.installs / ".incoming-maven-9.5.3-linux-x86_64-abc").mkdir()
    (empty_store.compiled / "0").mkdir(parents=True)
    (empty_store.root / ".ccache-99").mkdir()
    return empty_store


def test_everything_goes_when_nothing_is_in_use(store):
    removals = list(clean(store))
    assert sorted(removal.kind for removal in removals) == [
        *("compiled", "installs", "leftovers", "leftovers", "leftovers", "templates")
    ]
    assert [removal.kept for removal in removals] == [""] * 6
    assert 20e6 < sum(removal.size for removal in removals) < 60e6
    assert list(store.installs.iterdir()) == list(store.templates.iterdir()) == []


def test_a_dry_run_removes_nothing(store):
    before = sorted(store.root.rglob("*"))
    assert len(list(clean(store, dry_run=True))) == 6
    assert [path for path in sorted(store.root.rglob("*")) if path.suffix != ".use"] == before


def test_one_kind_alone(store):
    assert {removal.kind for removal in clean(store, ("leftovers",))} == {"leftovers"}
    assert len(list(store.installs.iterdir())) == len(list(store.templates.iterdir())) == 1


def test_what_another_process_uses_stays_until_it_dies(store):
    code = """
import sys
from pytest_pgfeatures.install import Resolver, parse_requests
resolver = Resolver(offline=True)
print(resolver.resolve(parse_requests("maven:9.6")[0]).bindir, flush=True)
sys.stdin.read()
"""
    environment = {**os.environ, "PGFEATURES_CACHE": str(store.root)}
    user = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with user:
        assert str(store.installs) in user.stdout.readline()
        kept = {removal.kind: removal.kept for removal in clean(store)}
        assert kept == {"installs": "in use", "templates": "in use", "compiled": "in use", "leftovers": ""}
        assert len(list(store.installs.iterdir())) == len(list(store.templates.iterdir())) == 1
        user.kill()
    assert {removal.kept for removal in clean(store)} == {""}


def test_what_is_being_made_stays(store):
    with store.lock("maven-9.5.3-linux-x86_64"):
        kept = {removal.path.name: removal.kept for removal in clean(store, ("leftovers",))}
    assert kept == {
        ".incoming-maven-9.5.3-linux-x86_64-abc": "in use",
        ".pg9.6-0123456789abcdef-99": "",
        ".ccache-99": "",
    }


@pytest.mark.processes
def test_after_closing_a_resolver_its_installs_can_go(store):
    resolver = Resolver(store, offline=True)
    resolver.resolve(parse_requests("maven:9.6")[0])
    assert {removal.kept for removal in clean(store, ("installs",))} == {"in use"}
    resolver.close()
    assert {removal.kept for removal in clean(store, ("installs",))} == {""}
