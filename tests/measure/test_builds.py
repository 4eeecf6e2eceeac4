"""Compilation of servers, and the report on sides that were compiled differently."""

from __future__ import annotations

import pytest
from rich.console import Console

from pytest_pgfeatures import Scaled, experiment
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.measure.builds import Build, Builds, difference_of
from pytest_pgfeatures.measure.run import Measuring
from pytest_pgfeatures.measure.sides import installs_for
from pytest_pgfeatures.report.measure import render_measured
from pytest_pgfeatures.server import Clusters

FAST = Build("gcc 12.2.0", ("-fwrapv", "-O2"))


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (FAST, ""),
        (Build("gcc 12.2.0", ("-fwrapv",)), "15 by gcc 12.2.0 with -O2; 16 by gcc 12.2.0 with -O0"),
        (Build("gcc 7.5.0", ("-fwrapv", "-O2")), "15 by gcc 12.2.0 with -O2; 16 by gcc 7.5.0 with -O2"),
        (Build("gcc 4.1.2", None), "15 by gcc 12.2.0 with -fwrapv -O2; 16 by gcc 4.1.2 with unknown flags"),
        (
            Build("gcc 12.2.0", ("-fwrapv", "-O2", "-fno-omit-frame-pointer"), assertions=True),
            "16 by gcc 12.2.0 with -O2 -fno-omit-frame-pointer, checking assertions",
        ),
    ],
)
def test_what_is_said_of_two_builds(other: Build, told: str) -> None:
    said = difference_of({"15": FAST, "16": other})
    assert told in said
    assert bool(said) == bool(told)


def test_sides_from_two_sources_are_said_to_be_compiled_differently() -> None:
    resolver = Resolver()
    memory = []

    def work(bench):
        memory.append(bench.value("SHOW maintenance_work_mem"))
        yield {"time": 1.0, "size": 1}

    def declared(**quantities):
        return experiment(
            "ours/one", title="a claim", versions=("<10", ">=18"), quantities=quantities,
            settings={"maintenance_work_mem": Scaled(quick="3MB", document="5MB")},
        )  # fmt: skip

    times = declared(time="s", size="bytes")(work).experiment
    sizes = declared(time="steps", size="bytes")(work).experiment
    with Clusters(resolver.store, resolver=resolver) as clusters:
        cells = resolver.cells(parse_requests("maven:9.6,pypi:18"))
        measuring = Measuring(clusters, cells=cells, scale="document", rounds=2)
        found, other = measuring.one(times, strict=True), measuring.one(sizes, strict=True)
    assert set(memory) == {"5MB"}
    # 9.6 of this source has -g -O2 by gcc 4.4, 18 of the other has -O2 by gcc 12
    assert found.builds.startswith("The sides are compiled differently")
    assert "9.6 (maven) by gcc 4.4.7" in found.builds
    assert "18 (pypi) by gcc 1" in found.builds
    assert found.builds.count("-O2") == 2
    console = Console(width=1000)
    with console.capture() as printed:
        console.print(*render_measured(found))
    assert found.builds in printed.get()
    assert other.builds == ""  # sizes don't depend on it
    judged = {ratio.quantity: ratio.alike for _, ratio in found.comparisons()}
    assert judged == {"time": False, "size": True}


@pytest.mark.parametrize(
    ("asked", "sources"),
    [
        (None, {"pypi"}),  # the system's 15 comes first otherwise, whose flags are others
        pytest.param("15,16", {"pypi"}, marks=pytest.mark.thorough),
        pytest.param("maven:15,maven:16", {"maven"}, marks=pytest.mark.thorough),
        ("maven:15,pypi:16", {"maven", "pypi"}),
    ],
)
def test_sides_come_from_one_source_unless_two_are_named(asked: str | None, sources: set[str]) -> None:
    resolver = Resolver()

    def work(bench):
        yield 1.0

    declared = experiment("ours/one", title="a claim", versions=("<16", ">=16"))(work).experiment
    with Clusters(resolver.store, resolver=resolver) as clusters:
        cells = resolver.cells(parse_requests(asked)) if asked else None
        builds = Builds(clusters)
        installs = installs_for(declared, resolver, cells, builds)
        assert builds.alike(list(installs.values())) == (len(sources) == 1)
    assert [str(install.version.major) for install in installs.values()] == ["15", "16"]
    assert {install.source for install in installs.values()} == sources
