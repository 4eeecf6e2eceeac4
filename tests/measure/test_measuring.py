"""Experiments on real servers: turns, rounds, verdicts, trouble."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import shutil
import subprocess

import pytest

from pytest_pgfeatures import Figure, experiment
from pytest_pgfeatures.errors import ExperimentError
from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.json_values import from_plain
from pytest_pgfeatures.measure.interval import Interval
from pytest_pgfeatures.measure.outcome import ClaimVerdict, Measured, PointMeasured, Ratio
from pytest_pgfeatures.measure.relay import Relay
from pytest_pgfeatures.measure.room import no_room
from pytest_pgfeatures.measure.run import Measuring
from pytest_pgfeatures.report.benchmark_json import benchmark_json
from pytest_pgfeatures.report.measure import measurements_json
from pytest_pgfeatures.report.plots import check_plots, draw, ticks
from pytest_pgfeatures.server import Clusters


@pytest.fixture(scope="module")
def clusters():
    resolver = Resolver()
    with Clusters(resolver.store, resolver=resolver) as made:
        yield made


@pytest.fixture
def measure(clusters):
    def run(work, *, rounds=2, strict=True, pg="18", **options):
        declared = experiment("ours/one", **{"title": "a claim", "methods": ("a", "b"), **options})(
            work
        ).experiment
        measuring = Measuring(
            clusters,
            cells=clusters.resolver.cells(_requests(pg)),
            rounds=rounds,
        )
        return measuring.one(declared, strict=strict)

    return run


def _requests(pg):
    from pytest_pgfeatures.install import parse_requests

    return parse_requests(pg)


def test_sides_take_turns_after_a_round_that_does_not_count(measure):
    turns = []

    def work(bench):
        value = 1000.0  # warms up
        while True:
            turns.append(bench.side)
            yield value
            value = 2.0 if bench.side == "a" else 4.0

    found = measure(work, figures=Figure("twice as long", ratio=2.0))
    assert turns[:6] == ["a", "b", "a", "b", "b", "a"]
    assert turns[6:] == ["b", "a", "b", "a", "a", "b"]  # of the next round
    ((_, ratio),) = found.comparisons()
    assert (ratio.base_value, ratio.value, ratio.interval.ratio) == (2.0, 4.0, pytest.approx(2))
    assert ratio.verdict is ClaimVerdict.AS_DOCUMENTED


def test_each_round_has_servers_of_its_own(measure):
    servers = []

    def work(bench):
        servers.append((bench.cluster.datadir, bench.cluster.pid))
        while True:
            yield 1.0 if bench.side == "a" else 0.5 + len(servers) % 3

    found = measure(work, rounds=5, figures=Figure("faster", claims="less"))
    ((_, ratio),) = found.comparisons()
    assert ratio.interval.rounds == 5
    assert ratio.verdict is ClaimVerdict.UNDECIDED
    assert ratio.rounds_needed is None or ratio.rounds_needed > 5
    assert len(set(servers)) == 5  # both sides are on it


def test_versions_have_a_control_on_another_server_of_the_first_ones_install(measure):
    servers = []

    def work(bench):
        servers.append((bench.side, bench.version.major, bench.cluster.pid))
        while True:
            yield {"time": 1.0 + len(servers) / 10, "size": 2.0}

    found = measure(
        work, pg="17,18", methods=(), versions=("<18", ">=18"), quantities={"time": "s", "size": "bytes"}
    )
    assert sorted(side for side, _, _ in servers) == ["<18"] * 4 + [">=18"] * 2
    assert len({pid for _, _, pid in servers}) == 6
    (point,) = found.points
    assert [ratio.quantity for ratio in point.control] == ["time", "size"]
    assert found.control() == (0, 0)  # of two rounds there is no interval
    assert from_plain(json.loads(measurements_json([found]))["experiments"][0], Measured) == found


def test_a_size_is_measured_once_in_each_sides_own_database(measure):
    def work(bench, rows):
        bench.sql(f"CREATE TABLE t (v {'text' if bench.side == 'a' else 'int'})")
        bench.sql(f"INSERT INTO t SELECT g FROM generate_series(1, {rows}) g")
        bench.fact("rows", bench.value("SELECT count(*) FROM t"))
        yield bench.value("SELECT sum(pg_column_size(v)) FROM t")

    found = measure(work, parameters={"rows": [10, 1000]}, quantities={"size": "bytes"})
    assert [dict(point.facts) for point in found.points] == [{"rows": "10"}, {"rows": "1000"}]
    assert [point.values["b"]["size"] for point in found.points] == [(40.0, 40.0), (4000.0, 4000.0)]
    assert [ratio.interval.is_exact for _, ratio in found.comparisons()] == [True] * 2


def test_the_bench_measures_statements_wal_programs_and_clients(measure):
    def work(bench):
        bench.sql("CREATE TABLE t (i int)")
        while True:
            yield {
                "statement": bench.seconds("SELECT 1", "SELECT 2"),
                "plan": bench.execution_time("SELECT count(*) FROM generate_series(1, 1000)"),
                "WAL": bench.wal_bytes("INSERT INTO t SELECT generate_series(1, 1000)"),
                "program": bench.run("pg_dump", "--schema-only"),
                "tps": bench.pgbench("SELECT 1;", clients=2, transactions=10),
                "together": bench.at_once(*[lambda connection: connection.execute("SELECT 1")] * 3),
            }

    quantities = {
        "statement": "s",
        "plan": "s",
        "WAL": "bytes",
        "program": "s",
        "tps": "tps",
        "together": "s",
    }
    found = measure(work, rounds=1, quantities=quantities, needs=("pg_dump", "pgbench"))
    values = found.points[0].values["a"]
    assert all(value > 0 for each in values.values() for value in each)
    assert 60_000 < values["WAL"][0] < 200_000


def test_a_relay_counts_what_a_client_and_a_server_send(clusters):
    import psycopg

    (cell,) = clusters.resolver.cells(_requests("18"))
    cluster = clusters.create(clusters.resolver.resolve(cell.request))
    with Relay(cluster.socket_directory / f".s.PGSQL.{cluster.port}") as relay:
        address = f"host=127.0.0.1 port={relay.port} user=postgres dbname=postgres"
        with psycopg.connect(f"{address} sslmode=disable passfile=/dev/null/none") as connection:
            before = relay.sent
            connection.execute("SELECT repeat('x', 100000)")
            assert 100_000 < relay.sent - before < 101_000
    clusters.remove(cluster)


def test_versions_are_those_next_to_the_change(measure):
    def work(bench):
        yield 1.0

    found = measure(work, pg="14..18", methods=(), versions=("<17", ">=17"), strict=True)
    assert list(found.sides.values()) == ["16", "17"]


def test_a_side_that_cannot_be_had_says_what_was_looked_for(measure):
    def work(bench):
        yield 1.0

    found = measure(work, methods=(), versions=("<17", ">=17"), strict=False)
    assert not found.failed
    assert "no PostgreSQL <17 can be had among 18 for the side <17" in found.trouble
    with pytest.raises(ExperimentError, match="name versions on both sides"):
        measure(work, methods=(), versions=("<17", ">=17"))


def test_what_has_no_room_is_told_and_the_rest_is_measured(measure):
    def work(bench, rows):
        yield 1.0

    parameters = {"rows": {"few": 1, "many": 10**15, "as many": 10**15}}
    found = measure(work, parameters=parameters, room=lambda rows: rows * 100)
    assert [bool(point.trouble) for point in found.points] == [False, True, True]
    ((points, trouble),) = found.troubles()  # told once
    assert points == "rows many; rows as many"
    assert "no room: it needs about 93132257" in trouble
    (mounted,) = re.findall(r" GB, and (\S+) has ", trouble)
    assert os.path.ismount(mounted)


def test_wal_that_earlier_points_left_is_room(tmp_path):
    def work(bench):
        yield 1.0

    enough = shutil.disk_usage(tmp_path).free + 2**40
    declared = experiment("ours/one", title="a claim", methods=("a", "b"), room=lambda: enough)(
        work
    ).experiment
    (point,) = declared.points("quick")
    assert no_room(declared, point, [tmp_path])
    (tmp_path / "pg_wal").mkdir()
    with (tmp_path / "pg_wal" / "000000010000000000000001").open("wb") as segment:
        os.truncate(segment.fileno(), 2**41)  # a sparse file, which takes nothing
    assert no_room(declared, point, [tmp_path]) is None


@pytest.mark.parametrize(
    ("rounds", "message"),
    [
        ([], "yielded nothing"),
        ([1.0, 1.0], "ended after 2 turns"),
        ([0.0], "no ratio can be taken of time 0"),
        ([{"size": 1.0}], r"yielded \['size'\], and declares \['time'\]"),
    ],
)
def test_work_that_measures_wrongly_is_told_what_is_wrong(measure, rounds, message):
    def work(bench):
        yield from rounds

    with pytest.raises(ExperimentError, match=message):
        measure(work)


def test_refused_work_is_trouble_and_its_database_is_dropped(measure):
    def work(bench):
        yield bench.seconds("SELECT nothing")

    found = measure(work, strict=False)
    assert found.failed
    assert 'column "nothing" does not exist' in found.trouble


@pytest.mark.root
def test_a_full_disk_before_the_first_point_is_trouble(clusters, reachable_path, monkeypatch):
    def work(bench, rows):
        yield 1.0

    declared = experiment("ours/one", title="a claim", methods=("a", "b"), parameters={"rows": [1, 2]})(work)
    disk = reachable_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=755", "tmpfs", disk], check=True)
    monkeypatch.setenv("PGFEATURES_RUN", str(disk))
    try:
        with Clusters(clusters.resolver.store, resolver=clusters.resolver) as on_it:
            measuring = Measuring(on_it, cells=clusters.resolver.cells(_requests("18")))
            found = measuring.one(declared.experiment)
    finally:
        subprocess.run(["umount", disk], check=True)
    assert found.failed
    assert found.points == ()
    assert "is full" in found.trouble


def test_results_survive_json_and_are_read_by_others(measure, tmp_path):
    def work(bench, rows):
        while True:
            yield 1.0 if bench.side == "a" else 1.5

    figures = Figure("half as long again <script>", values=(2.0, 3.0))
    found = measure(work, parameters={"rows": [1, 2]}, figures=figures)
    plain = json.loads(measurements_json([found]))
    assert from_plain(plain["experiments"][0], Measured) == found
    assert plain["experiments"][0]["points"][0]["comparisons"][0]["figure"]["reported"] == 1.5
    benchmarks = json.loads(benchmark_json([found]))["benchmarks"]
    assert [each["name"] for each in benchmarks][:2] == ["ours/one[1-a-time]", "ours/one[1-b-time]"]
    assert benchmarks[1]["stats"]["median"] == 1.5
    check_plots(tmp_path / "new")
    picture = draw(found)
    assert picture == draw(found)
    assert b"</svg>" in picture
    assert draw(found, "png").startswith(b"\x89PNG")


@pytest.mark.processes  # without its cache of fonts, matplotlib runs fc-list
def test_a_plot_is_dark_where_the_reader_prefers_dark_pages():
    figure = Figure("half", ratio=0.5)
    ratios = [
        Ratio("time", "s", "b", 1.0, 0.5, Interval(0.5, 0.4, 0.6, 5), figure, verdict)
        for verdict in ClaimVerdict
    ]
    points = tuple(PointMeasured({"n": ratio.verdict}, comparisons=(ratio,)) for ratio in ratios)
    picture = draw(Measured("ours/one", "", "", "", {"a": "a", "b": "b"}, {}, "quick", points)).decode()
    light, dark = picture.split("@media (prefers-color-scheme: dark)")[0], picture.split("</style>")[0]
    drawing = picture.split("</style>")[1]
    used = set(re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", drawing))
    assert len(used) >= 8
    assert all(f'[style*="{use}"]' in dark for use in used)
    assert "text { fill:" in dark
    assert "[style" not in light


@pytest.mark.parametrize("ends", [(0.55, 1.5), (0.003, 0.9), (0.02, 16), (0.98, 1.02), (0.9, 1.5)])
def test_the_marks_of_a_plot_have_room(ends):
    marks = [math.log(mark / ends[0]) / math.log(ends[1] / ends[0]) for mark in ticks(*ends)]
    assert len(marks) > 3
    assert min(right - left for left, right in itertools.pairwise(marks)) > 0.08
