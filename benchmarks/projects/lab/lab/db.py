import os

from sqlalchemy import create_engine, text

engine = create_engine(os.environ.get("LAB_DATABASE_URL", "postgresql:///lab"), future=True)

EXPECTED_COLLATION = "en_US.UTF-8"


def check_collation():
    with engine.connect() as connection:
        found = connection.execute(text("SELECT current_setting('lc_collate')")).scalar()
    if found != EXPECTED_COLLATION:
        raise RuntimeError("the database sorts with lc_collate " + found)


def server_version(connection):
    return int(connection.execute(text("SHOW server_version_num")).scalar())
