"""Selectors that name relations which the database doesn't have."""

from __future__ import annotations

import pickle
import warnings
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import AbsentRelationWarning
from pytest_pgfeatures.plan import Plan, explain, parse_plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

    from pytest_pgfeatures.server import Database

    Conn = Connection[Any]


@pytest.fixture
def plan(pg_connection: Conn) -> Plan:
    pg_connection.execute(
        "CREATE TABLE orders (id int PRIMARY KEY); CREATE SCHEMA s; CREATE TABLE s.items ()"
    )
    return explain(pg_connection, "SELECT * FROM orders o")


@pytest.fixture
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("Seq Scan[relation=orderz]", "no relation 'orderz'.*can match nothing: did you mean 'orders'?"),
        ("Seq Scan[relation = orderz]", "did you mean 'orders'?"),
        ("Index Scan[index=orders_pkex]", "no relation 'orders_pkex'.*did you mean 'orders_pkey'?"),
        ("[Relation Name=orderz]", "did you mean 'orders'?"),
        ("Seq Scan[relation=o]", r"here it is an alias, \[alias=o\]"),
        ("[relation=xyzzyxyzzy]", "no relation 'xyzzyxyzzy'.*can match nothing$"),
        ("Sort:has(> Seq Scan[relation=orderz])", "did you mean 'orders'?"),
    ],
)
def test_a_relation_that_the_database_lacks_is_worth_a_warning(plan: Plan, selector: str, said: str):
    for ask in (plan.__contains__, plan.count, plan.matches, plan.find):
        with pytest.warns(AbsentRelationWarning, match=said) as caught:
            assert not ask(selector)
        assert len(caught) == 1
        assert caught[0].filename == __file__


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "selector",
    [
        "Sort[relation=orders]",
        "Index Scan[index=orders_pkey]",
        "Seq Scan[relation=items]",  # of any schema
        "Seq Scan[relation=pg_class]",
        "Seq Scan[relation='orderz']",
        "Seq Scan[relation!=orders]",
        "Seq Scan[relation^=orderz]",
        "Seq Scan[alias=orderz]",
        "CTE Scan[cte=recent]",
        "Seq Scan, Sort[relation=orderz]",
    ],
)
def test_other_selectors_say_nothing(plan: Plan, selector: str):
    assert isinstance(selector in plan, bool)


@pytest.mark.usefixtures("quiet")
def test_a_relation_that_the_plan_has_is_there_although_it_was_dropped(plan: Plan, pg_connection: Conn):
    pg_connection.execute("DROP TABLE orders")
    assert "Index Scan[relation=orders]" not in plan


@pytest.mark.usefixtures("quiet")
def test_a_plan_without_its_connection_knows_no_schema(plan: Plan, pg_connection: Conn):
    selector = "Seq Scan[relation=orderz]"
    assert selector not in parse_plan(str(plan))
    assert selector not in pickle.loads(pickle.dumps(plan))
    pg_connection.close()
    assert selector not in plan


@pytest.mark.usefixtures("quiet")
def test_nothing_is_asked_where_that_would_have_an_effect(pg_database: Database):
    with pg_database.connect(autocommit=False) as connection:
        plan = explain(connection, "SELECT 1")
        connection.rollback()
        assert "[relation=orderz]" not in plan
        assert connection.info.transaction_status.name == "IDLE"  # no transaction was begun
        with pytest.raises(Exception, match="division by zero"):
            connection.execute("SELECT 1/0")
        assert "[relation=orderz]" not in plan


def test_a_transaction_is_asked_and_stays_as_it_is(plan: Plan, pg_connection: Conn):
    with pg_connection.transaction():
        pg_connection.execute("CREATE TEMP TABLE orderz ()")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert "[relation=orderz]" not in plan
        with pytest.warns(AbsentRelationWarning, match="orderx"):
            assert "[relation=orderx]" not in plan
        assert pg_connection.info.transaction_status.name == "INTRANS"
