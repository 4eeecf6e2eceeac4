"""SQLSTATEs that print their condition names."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psycopg.errors
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from psycopg import Connection

CODES = sorted({name for name in psycopg.errors._sqlcodes if len(name) == 5})


def test_it_prints_its_condition_and_equals_its_code() -> None:
    state = SqlState("22P02")
    assert f"{state}" == str(state) == "22P02 invalid_text_representation"
    assert repr(state) == "SqlState('22P02')"
    assert state == "22P02"
    assert {"22P02": 1}[state] == 1
    assert json.loads(json.dumps({"expected": [state]})) == {"expected": ["22P02"]}
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert (type(again), again) == (SqlState, state)


@pytest.mark.parametrize(
    "code", ["P9999", "ABCDE", "", "x", "BEGIN", "LOCAL", "4260", "426010", "４２６０１"]
)
def test_a_code_without_a_known_condition_prints_as_it_is(code: str) -> None:
    assert str(SqlState(code)) == code
    assert SqlState(code).condition is None
    assert SqlState.recognized(code) is None


@given(st.text())
def test_any_text_may_be_asked_about(text: str) -> None:
    state = SqlState.recognized(text)
    assert (state is None) == (text not in CODES)


@pytest.mark.pg("18")
def test_the_server_knows_each_condition_by_its_name(pg_connection: Connection[Any]) -> None:
    unlike = {}
    for code in CODES:
        state = SqlState(code)
        assert state.condition
        with pytest.raises(psycopg.Error) as raised:
            pg_connection.execute(f"DO $$ BEGIN RAISE EXCEPTION {state.condition}; END $$".encode())
        if raised.value.sqlstate != code:
            unlike[code] = raised.value.sqlstate
    assert unlike == {
        # "PostgreSQL Error Codes" has these names twice. PL/pgSQL raises the first of the two.
        "38002": "2F002",
        "38003": "2F003",
        "38004": "2F004",
        "39004": "22004",
        # No data is no error; and 17 removed snapshot_too_old. PL/pgSQL knows no condition of these names.
        "02000": "42704",
        "02001": "42704",
        "72000": "42704",
    }


def test_psycopg_is_imported_when_a_condition_is_asked_for() -> None:
    program = (
        "import sys; from pytest_pgfeatures import SqlState; s = SqlState('42601'); "
        "print(s == '42601', 'psycopg' in sys.modules, s.condition)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["True", "False", "syntax_error"]
