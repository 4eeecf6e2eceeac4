import os

import pytest
from sqlalchemy import create_engine, text

URL = os.environ.get("TEST_DATABASE_URL", "postgresql+psycopg://harbor@localhost/harbor_test")


@pytest.fixture(scope="session")
def engine():
    return create_engine(URL)


@pytest.fixture
def connection(engine):
    with engine.connect() as connection:
        transaction = connection.begin()
        yield connection
        transaction.rollback()


@pytest.fixture
def parallel(connection):
    """Functions that are wrongly marked PARALLEL SAFE fail in here."""
    connection.execute(text("SET LOCAL max_parallel_workers_per_gather = 2"))
    connection.execute(text("SET LOCAL force_parallel_mode = on"))
    return connection


@pytest.fixture
def berth(connection):
    connection.execute(
        text("INSERT INTO harbor.berths (berth_id, code, max_length_m) VALUES (1, 'N1', 120)")
    )
    connection.execute(
        text("INSERT INTO harbor.bgwriter_samples (sampled_at, node) VALUES (now(), 'force_parallel_mode')")
    )
    return 1
