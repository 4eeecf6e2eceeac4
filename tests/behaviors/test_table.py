"""Behaviors as rows of a table."""

import inspect
import subprocess
import sys
from types import ModuleType

import pytest

from pytest_pgfeatures.behaviors import registry
from pytest_pgfeatures.errors import BehaviorError
from pytest_pgfeatures.version import PgMajor, PgVersion

HEAD = "from pytest_pgfeatures import NotYet, Remedied, Row, rows\n"

TABLE = """
def gone(key, setting, value):
    return Row(
        key, f"no-{setting}", f"SHOW {setting}", value, "42704",
        title=f"There is no {setting}", remedy="Leave it out.",
    )

rows(
    Row("14.9", "no-postfix", "SELECT 5 !", "120", "42601", title="t", remedy="r", remedied="SELECT factorial(5)"),
    gone("14.17", "app.one", "1"),
    Row(["15.3", "14.x3"], "two", "SELECT 1", expect={"<14": NotYet(1), "14": 2, ">=15": 3},
        title="t", kind="feature", isolation="database"),
    Row("13.1", "minor", "SELECT 1", 1, 2, since="13.3", title="t", remedy="r"),
    Row("10.1", "observed", lambda lab: ["seen by", lab], 1, 2, title="t", remedy="r"),
    area="sql",
)
"""


def module_with(source):
    module = ModuleType("some_rows")
    exec(compile(HEAD + source, "some_rows.py", "exec"), vars(module))
    return module


def declared(source):
    return {found.id: found for found in registry.declared_in(module_with(source))}


def test_a_row_is_a_behavior_of_its_module():
    found = declared(TABLE)
    assert list(found) == ["14/no-postfix", "14/no-app.one", "15/two", "13/minor", "10/observed"]
    first = found["14/no-postfix"]
    assert (first.kind, first.isolation, first.area) == ("incompatibility", "transaction", "sql")
    assert [first.expect(PgMajor(n)) for n in ("13", "14")] == ["120", "42601"]
    assert first.remedied.expect(PgMajor("18")) == "120"
    assert first.source == "Migration to Version 14, 14.9"


def test_a_row_may_say_more_than_its_table():
    found = declared(TABLE)
    assert (found["15/two"].kind, found["15/two"].isolation) == ("feature", "database")
    assert found["15/two"].release_note == ("15.3", "14.x3")
    assert found["15/two"].expect(PgMajor("14")) == 2
    assert found["13/minor"].since == PgVersion("13.3")
    assert found["13/minor"].expect(PgVersion("13.2")) == 1
    assert found["10/observed"].observe("me") == ["seen by", "me"]


def test_a_row_is_where_it_is_written():
    """The line of the row itself, and not of the function that makes it."""
    lines = (HEAD + TABLE).splitlines()
    for id, text in (
        ("14/no-postfix", 'Row("14.9"'),
        ("14/no-app.one", 'gone("14.17"'),
        ("13/minor", '"13.1"'),
    ):
        file, line = declared(TABLE)[id].defined_at.split(":")
        assert file == "some_rows.py"
        assert text in lines[int(line) - 1]


def test_pytest_finds_the_functions_by_their_names():
    module = module_with(TABLE)
    assert module.no_postfix.__name__ == "no_postfix"
    assert module.no_app_one.__test__ is True
    assert list(inspect.signature(module.no_postfix).parameters) == ["lab"]


@pytest.mark.parametrize("said", ["", ", 1", ", 1, 2, expect={'all': 1}"])
def test_a_row_says_once_what_is_expected(said):
    with pytest.raises(BehaviorError, match="14/x has no expectation"):
        module_with(f"Row('14.1', 'x', 'SELECT 1'{said}, title='t')")


def test_two_rows_of_one_name_are_refused():
    row = "Row('14.1', 'x', 'SELECT 1', 1, 2, title='t', remedy='r')"
    with pytest.raises(BehaviorError, match="the module has a x already") as raised:
        module_with(f"rows({row}, {row}, area='sql')")
    assert "some_rows.py:2" in str(raised.value)


def test_a_row_that_is_declared_wrongly_is_refused():
    with pytest.raises(BehaviorError, match="14/x is an incompatibility without a remedy"):
        module_with("rows(Row('14.1', 'x', 'SELECT 1', 1, 2, title='t'), area='sql')")
    with pytest.raises(BehaviorError, match="'fourteen'"):
        module_with("rows(Row('fourteen', 'x', 'SELECT 1', 1, 2, title='t'), area='sql')")
    with pytest.raises(TypeError, match="titel"):
        module_with("rows(Row('14.1', 'x', 'SELECT 1', 1, 2, titel='t'), area='sql')")


RUN = """
def setting(lab):
    lab.sql("SET LOCAL work_mem = '77MB'")
    return [lab.sqlstate("SELECT nothing"), lab.value("SHOW work_mem")]

rows(
    Row("14.9", "no-postfix", "SELECT 5 !", "120", "42601", title="t", remedy="r", remedied="SELECT factorial(5)"),
    Row("14.9", "made", "SELECT count(*) FROM t", expect={"all": 0}, setup="CREATE TABLE t (i int)", title="t",
        remedy="r", remedied=Remedied("SELECT count(*) FROM t", {"all": 0})),
    Row("14.9", "made-anew", "SELECT i, 'x' FROM t", expect={"all": [[1, "x"], [2, "x"]]},
        setup="CREATE TABLE t (i int); INSERT INTO t VALUES (1), (2)", title="t", remedy="r"),
    Row("14.9", "set", setting, expect={"all": ["42703", "77MB"]}, title="t", remedy="r"),
    Row("14.9", "unset", "SHOW work_mem", expect={"all": "4MB"}, title="t", remedy="r"),
    Row("14.9", "wrong-remedy", "SELECT 1", expect={"all": 1}, title="t", remedy="Write 1.",
        remedied=Remedied("SELECT 1 + 1", {"all": 1})),
    area="sql",
)
"""


def test_rows_run_in_transactions_of_one_database(tmp_path):
    (tmp_path / "behaviors.py").write_text(HEAD + RUN)
    ended = subprocess.run(
        [sys.executable, "-mpytest", "-pno:asyncio", "--pg=13,14", "-rA", "behaviors.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "12 asked: 10 as documented, 2 deviates" in ended.stdout, ended.stdout
    assert "14/wrong-remedy deviates: its remedy: Write 1." in ended.stdout
    assert f"declared  {tmp_path}/behaviors.py:15" in ended.stdout
