"""SQL in XML, and XML that attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.source_code import read_source

if TYPE_CHECKING:
    from pathlib import Path


def read(directory: Path, text: str) -> list[tuple[str, int]]:
    path = directory / "a.xml"
    path.write_text(text)
    return [
        (" ".join(each.sql.split()), each.place(each.sql.index("t")).line)
        for each in read_source(path, "a.xml")
    ]


@pytest.mark.parametrize(
    ("text", "sql", "line"),
    [
        ("<m><select>SELECT a FROM t</select></m>", "SELECT a FROM t", 1),
        ("<m><x>\n\nTABLE t\n</x></m>", "TABLE t", 3),
        ("<m><x><![CDATA[SELECT 1 < a\nFROM t]]></x></m>", "SELECT 1 < a FROM t", 2),
        (
            "<m><x>SELECT a FROM t\n<where><if test='a'>AND a = #{a,jdbcType=INTEGER}</if></where></x></m>",
            "SELECT a FROM t WHERE a = $1",
            1,
        ),
        (
            "<m><u>UPDATE t <set><if test='a'>a = #{a},</if></set> WHERE b</u></m>",
            "UPDATE t SET a = $1 WHERE b",
            1,
        ),
        (
            '<m><sql id="s">a,\n b</sql><x>SELECT <include refid="n.s"/> FROM t</x></m>',
            "SELECT a, b FROM t",
            2,
        ),
        (
            "<m><x>SELECT 1 FROM t ORDER BY <choose><when>a</when><otherwise>b</otherwise></choose></x></m>",
            "SELECT 1 FROM t ORDER BY a",
            1,
        ),
        (
            '<m><x>SELECT 1 FROM t WHERE a IN <foreach open="(" separator="," close=")">#{a}</foreach></x></m>',
            "SELECT 1 FROM t WHERE a IN ( $1 )",
            1,
        ),
        (
            '<m><x>SELECT 1 FROM t <trim prefix="WHERE">a</trim> LIMIT ${n}</x></m>',
            "SELECT 1 FROM t WHERE a LIMIT $1",
            1,
        ),
        ("<m><x>SELECT 1 FROM t_${name}</x></m>", "SELECT 1 FROM t_x", 1),
    ],
)
def test_statements_with_their_lines(tmp_path, text, sql, line):
    assert read(tmp_path, text) == [(sql, line)]


def test_other_texts_are_none(tmp_path):
    assert read(tmp_path, "<p><name>select</name><a>Show items</a><!-- SELECT 1 --><b/></p>") == []


BOMB = (
    '<!DOCTYPE m [<!ENTITY a "SELECT 1 AS t">' + "".join(f'<!ENTITY a{n} "&a;&a;">' for n in range(30)) + "]>"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB + "<m>&a29;</m>", "declares entities"),
        ('<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><m>&a;</m>', "declares entities"),
        ("<m>" * 300 + "</m>" * 300, "more than 200 levels"),
        ("<m><x></m>", "is no XML"),
        ("<m>" + "x" * (5 << 20) + "</m>", "larger than 4 MB"),
        ('<?xml version="1.0" encoding="nosuch"?><m/>', "is no XML"),
    ],
)
def test_what_is_refused_is_told(tmp_path, text, message):
    with pytest.raises(PgFeaturesError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["x", ""])
def test_fragments_that_include_themselves_come_to_an_end(tmp_path, text):
    twice = '<include refid="a"/><include refid="a"/>'
    assert len(read(tmp_path, f'<m><sql id="a">{text} {twice}</sql><q>SELECT t {twice}</q></m>')) == 1
