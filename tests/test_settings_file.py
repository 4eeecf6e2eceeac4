"""Settings read from a postgresql.conf, as the server reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures import PgFeaturesError, read_settings
from pytest_pgfeatures.server.start_failure import configuration_refusal
from pytest_pgfeatures.settings_file import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster

LINES = r"""
# a comment

work_mem = 5MB
MAINTENANCE_WORK_MEM 12MB	# and a comment
random_page_cost=1.25
search_path = '"$user", public, it''s'
application_name = 'a\tb\'c\\d\101 # no comment'
my.own = ''
  other.own='x'   # comment
geqo = off
geqo = on
extra_float_digits = -3
datestyle = iso,mdy
"""
EXPECTED = {
    "work_mem": "5MB",
    "maintenance_work_mem": "12MB",
    "random_page_cost": "1.25",
    "search_path": '"$user", public, it\'s',
    "application_name": "a\tb'c\\dA # no comment",
    "my.own": "",
    "other.own": "x",
    "geqo": "on",
    "extra_float_digits": "-3",
}


NO_SETTINGS = (
    *("= 5", "work_mem", "work_mem = ", "work_mem = 'x", "work_mem = 5 6", "5 = 5", "a.b = 'b' c"),
    *("datestyle = iso,mdy", "a.b = x;", "a..b = 5", "work_mem : 5", "a.b = a=b"),
)


@pytest.fixture
def conf(tmp_path: Path) -> Callable[[str], Path]:
    path = tmp_path / "postgresql.conf"

    def write(text: str) -> Path:
        path.write_text(text)
        return path

    return write


def without_datestyle(text: str) -> str:
    """Without the line that the server refuses: an unquoted value has no commas."""
    return text.replace("datestyle = iso,mdy\n", "")


def test_what_is_read(conf: Callable[[str], Path]) -> None:
    assert read_settings(conf(without_datestyle(LINES))) == EXPECTED
    assert read_settings(conf(without_datestyle(LINES).replace("\n", "\r\n"))) == EXPECTED
    with pytest.raises(
        PgFeaturesError, match=r"postgresql\.conf, line 14: not a setting: datestyle = iso,mdy"
    ):
        read_settings(conf(LINES))


@pytest.mark.pg
def test_a_server_reads_the_same(create_pg: Callable[..., Cluster]) -> None:
    cluster = create_pg()
    cluster.append_conf(without_datestyle(LINES))
    cluster.reload()
    cluster.poll_query_until("SHOW work_mem", "5MB")
    for name, value in EXPECTED.items():
        if name != "application_name":  # each connection says it
            assert cluster.sql("SELECT current_setting(%s)", [name]) == [(value,)]
    for line in NO_SETTINGS:
        assert "syntax error" in (configuration_refusal(cluster, line) or "")


@pytest.mark.parametrize("line", NO_SETTINGS)
def test_what_is_no_setting(conf: Callable[[str], Path], line: str) -> None:
    with pytest.raises(PgFeaturesError, match="line 2: not a setting") as caught:
        read_settings(conf(f"work_mem = 1MB\n{line}\n"))
    assert "what to do: " in str(caught.value)


def test_files_that_are_included(conf: Callable[[str], Path], tmp_path: Path) -> None:
    (tmp_path / "conf.d" / "deep").mkdir(parents=True)
    (tmp_path / "conf.d" / "b.conf").write_text("work_mem = 3MB\ninclude 'deep/c'\n")
    (tmp_path / "conf.d" / "a.conf").write_text("work_mem = 2MB\ngeqo = on\n")
    (tmp_path / "conf.d" / ".hidden.conf").write_text("nonsense")
    (tmp_path / "conf.d" / "a.txt").write_text("nonsense")
    (tmp_path / "conf.d" / "deep" / "c").write_text("geqo = off\n")
    text = "work_mem = 1MB\ninclude_dir 'conf.d'\nINCLUDE_IF_EXISTS 'conf.d/deep/c'\n"
    text += "include_if_exists = 'nowhere'\n"
    assert read_settings(conf(text)) == {"work_mem": "3MB", "geqo": "off"}
    with pytest.raises(PgFeaturesError, match="nowhere: No such file"):
        read_settings(conf("include 'nowhere'"))
    with pytest.raises(PgFeaturesError, match="more than 10 levels deep"):
        read_settings(conf("include 'postgresql.conf'"))


def test_what_belongs_to_its_host_is_left_out(conf: Callable[[str], Path]) -> None:
    assert {"port", "data_directory", "ssl", "archive_command", "logging_collector"} <= LEFT_OUT.keys()
    text = "".join(f"{name} = 'x'\n" for name in LEFT_OUT)
    assert read_settings(conf(f"{text}work_mem = 1MB\n")) == {"work_mem": "1MB"}
