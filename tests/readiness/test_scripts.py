"""Scripts as inputs of readiness: calls of programs, and SQL that they pass on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.readiness.test_inputs import read, written

from pytest_pgfeatures.readiness.evidence.find import find
from pytest_pgfeatures.readiness.inputs.programs import settings_of
from pytest_pgfeatures.readiness.model import VersionPair
from pytest_pgfeatures.version import as_release, read_version

if TYPE_CHECKING:
    from pathlib import Path

# --- scripts -----------------------------------------------------------------------------------------------

SHELL = """#!/bin/sh
# pg_dump --hidden
PGPASSWORD=s3cret-x sudo -u postgres /usr/lib/postgresql/14/bin/pg_dump -h db \\
    --no-owner "my db" > out.sql || echo "pg_dump failed"
docker exec -it postgres psql -c 'SELECT 1' && gosu postgres pg_ctl -o "-c jit=off" start
x=$(pg_config --version)
su - postgres -c "vacuumdb --all"
psql shop <<'SQL'
SELECT 2;
SQL
"""


def words_of(path: Path) -> list[tuple[str, int, list[str]]]:
    scripts = read(scripts=path)
    return [
        (each.program, each.words[0].place.line, [word.text for word in each.words[1:]])
        for each in scripts.invocations
        if each.program in ("pg_dump", "psql", "pg_ctl", "pg_config", "vacuumdb", "postgres", "pg_basebackup")
    ]


def test_calls_in_a_shell_script(tmp_path: Path) -> None:
    path = written(tmp_path, "a.sh", SHELL)
    assert words_of(path) == [
        ("pg_dump", 3, ["-h", "db", "--no-owner", "my db"]),
        ("psql", 5, ["-c", "SELECT 1"]),
        ("pg_ctl", 5, ["-o", "-c jit=off", "start"]),
        ("pg_config", 6, ["--version"]),
        ("vacuumdb", 7, ["--all"]),
        ("psql", 8, ["shop"]),
    ]
    scripts = read(scripts=path)
    dump = scripts.invocations[0]
    assert [(word.place.line, word.place.column) for word in dump.words[3:]] == [(4, 5), (4, 16)]
    assert [(each.sql.strip(), each.lines[0]) for each in scripts.queries] == [
        ("SELECT 1", 5),
        ("SELECT 2", 9),
    ]
    assert [(use.name, use.value) for use in settings_of(scripts.invocations)] == [("jit", "off")]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "ci.yml",
            "jobs:\n  t:\n    - run: |\n        echo hi\n        pg_basebackup -X fetch \\\n          -D x\n"
            "    - run: psql -l\n    - command: [postgres, -c, jit=off]\n    # pg_dump\n",
            [
                ("pg_basebackup", 5, ["-X", "fetch", "-D", "x"]),
                ("psql", 7, ["-l"]),
                ("postgres", 8, ["-c", "jit=off"]),
            ],
        ),
        (
            "job.yml",
            "command:\n  - /bin/sh\n  - -c\n  - |\n    cd /tmp\n    pg_dump x\n\n    psql -l\n",
            [("pg_dump", 6, ["x"]), ("psql", 8, ["-l"])],
        ),
        (
            "Dockerfile",
            "FROM postgres:14\nRUN apt-get update && \\\n    pg_dump --version\n"
            'CMD ["postgres", "-c", "jit=off"]\n',
            [("pg_dump", 3, ["--version"]), ("postgres", 4, ["-c", "jit=off"])],
        ),
        (
            "db.Dockerfile",
            "RUN --mount=type=cache,target=/x set -e; \\\n  # a comment is no end\n  pg_dump -x\n"
            'RUN <<EOF\npsql -l\nEOF\nCOPY <<EOF /x\npg_dump -Fc\nEOF\nVOLUME ["pg_dump"]\n'
            "ONBUILD RUN pg_ctl stop\nENV PGOPTIONS -c jit=off\n"
            "HEALTHCHECK --interval=5s CMD psql -tq || exit 1\n",
            [
                ("pg_dump", 3, ["-x"]),
                ("psql", 5, ["-l"]),
                ("pg_ctl", 11, ["stop"]),
                ("psql", 13, ["-tq"]),
            ],
        ),
        (
            "backup.service",
            "[Service]\nExecStart=-/usr/bin/pg_dump \\\n  -Fc shop\nDescription=pg_dump of the shop\n",
            [("pg_dump", 2, ["-Fc", "shop"])],
        ),
        ("crontab", "# nightly\n0 3 * * * postgres pg_dump -Fc shop\n", [("pg_dump", 2, ["-Fc", "shop"])]),
        (
            "jobs.cron",
            "# 1 2 3 4 5 pg_dump\nMAILTO = a b c d pg_dump e\n  \n@daily psql -l\n"
            "*/5 1-3 * * MON root pg_dump 'my \\\n  db'\n@reboot\n",
            [("psql", 4, ["-l"]), ("pg_dump", 5, ["my \\\n  db"])],
        ),
    ],
)
def test_calls_in_other_files(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str, int, list[str]]]
) -> None:
    assert words_of(written(tmp_path, name, text)) == expected


@pytest.mark.parametrize("begin", [">", ">-", "", '"', "'"])
def test_words_of_a_command_in_several_lines_of_yaml_have_their_places(tmp_path: Path, begin: str) -> None:
    end, head = ("", begin) if begin[:1] == ">" else (begin, "")
    text = f"a:\n  command: {head}\n    {end}postgres\n    -c a=1\n    -c jit=off{end}\n"
    (command,) = read(scripts=written(tmp_path, "a.yml", text)).invocations
    shift = len(end)
    assert [(each.place.line, each.place.column) for each in command.words] == [
        (3, 5 + shift), (4, 5), (4, 8), (5, 5), (5, 8),
    ]  # fmt: skip


def test_words_that_are_only_printed_or_searched_for_run_nothing(tmp_path: Path) -> None:
    text = (
        "#!/bin/sh\necho pg_dump -Fc\ngrep psql x | mail -s pg_dump me\ndocker logs postgres\n"
        "sudo systemctl stop postgres\ncommand -v pg_config\ndocker exec db pg_dump -Fc shop\n"
    )
    assert words_of(written(tmp_path, "a.sh", text)) == [("pg_dump", 7, ["-Fc", "shop"])]


def test_files_without_a_suffix_are_read_in_the_directories_of_cron(tmp_path: Path) -> None:
    for name, text in (
        ("cron.d/shop", "0 3 * * * postgres pg_dump shop\n"),
        ("cron.d/shop.dpkg-old", "0 3 * * * postgres pg_dump old\n"),
        ("cron.daily/shop", "pg_dump daily\n"),
        ("crontabs/postgres", "@daily pg_dump mine\n"),
        ("docs/shop", "pg_dump described\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written((tmp_path / name).parent, (tmp_path / name).name, text)
    invocations = read(scripts=tmp_path).invocations
    assert [each.words[-1].text for each in invocations] == ["shop", "daily", "mine"]


def test_a_script_is_known_by_its_first_line(tmp_path: Path) -> None:
    written(tmp_path, "rc.local", "#!/bin/sh\nsu postgres -c 'pg_dump shop'\n")
    written(tmp_path, "tool.py", "#!/usr/bin/env python3\npg_dump = 1\n")
    scripts = read(scripts=tmp_path)
    assert [(each.program, each.words[0].place.line) for each in scripts.invocations] == [("pg_dump", 2)]


SQL_IN_SCRIPTS = {
    "a.sh": (
        'echo "SELECT 1" | psql -At\ncat <<SQL | sudo psql\nSELECT 2;\nSELECT 3;\nSQL\npsql <<< "SELECT 4"\n'
        'echo "SELECT 5" | wc -c\nprintf "SELECT 6;\\n" |\n  psql\ntrue || psql\n',
        [("SELECT 1", 1), ("SELECT 2", 3), ("SELECT 3", 4), ("SELECT 4", 6), ("SELECT 6", 8)],
    ),
    "a.yml": (
        'data:\n  init.sql: |\n    SELECT 1;\n    SELECT\n      2;\npg_x:\n  query: "SELECT 3"\n'
        "search:\n  query: apples\n  folded.sql: >\n    SELECT 4\n    FROM t\n",
        [("SELECT 1", 3), ("SELECT\n      2", 4), ("SELECT 3", 7), ("SELECT 4\n    FROM t", 11)],
    ),
}


@pytest.mark.parametrize("name", SQL_IN_SCRIPTS)
def test_sql_that_scripts_pass_on(tmp_path: Path, name: str) -> None:
    text, expected = SQL_IN_SCRIPTS[name]
    scripts = read(scripts=written(tmp_path, name, text))
    assert [(each.sql.strip(), each.lines[0]) for each in scripts.queries] == expected


def test_variables_of_a_sourced_script_are_known(tmp_path: Path) -> None:
    written(tmp_path, "common.sh", "DUMP='pg_dump --no-owner'\n")
    path = written(tmp_path, "a.sh", '. "$(dirname "$0")/common.sh"\n$DUMP shop\n')
    assert words_of(path) == [("pg_dump", 2, ["--no-owner", "shop"])]


def test_passwords_are_known_from_what_is_only_printed_too(tmp_path: Path) -> None:
    text = (
        "echo \"password='s3cret-x'\"\nmysql -e \"SET PASSWORD 's3cret-y'\"\npsql -c \"SELECT 's3cret-x'\"\n"
    )
    assert read(scripts=written(tmp_path, "a.sh", text)).secrets == {"s3cret-x", "s3cret-y"}


def test_a_line_of_yaml_is_shown_as_it_is_written(tmp_path: Path) -> None:
    line = 'command: ["docker-entrypoint.sh", "-c", "vacuum_defer_cleanup_age=5"]  # for the replica'
    path = written(tmp_path, "compose.yml", f"{line}\n")
    pair = VersionPair(as_release(read_version("15")), as_release(read_version("16")))
    assert [each.excerpt for each in find(read(scripts=path), pair, None).findings] == [line]
