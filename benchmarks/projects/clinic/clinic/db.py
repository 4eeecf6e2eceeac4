"""Engine, sessions and the little we need to know about the server."""
import logging
import os
from contextlib import contextmanager

from sqlalchemy import create_engine, event, text
from sqlalchemy.orm import sessionmaker

log = logging.getLogger(__name__)

DSN = os.environ.get("DATABASE_URL", "postgresql+psycopg2://clinic@localhost/clinic")
POOL_RECYCLE = 1_800
STATEMENT_TIMEOUT = "30s"

engine = create_engine(DSN, pool_pre_ping=True, pool_recycle=POOL_RECYCLE)
Session = sessionmaker(bind=engine, future=True)


@event.listens_for(engine, "connect")
def session_settings(dbapi_connection, _record):
    cursor = dbapi_connection.cursor()
    cursor.execute("SELECT set_config('statement_timeout', %s, false)", [STATEMENT_TIMEOUT])
    cursor.execute("SELECT set_config('clinic.actor', '', false)")
    cursor.close()


@contextmanager
def acting_as(login):
    """A session whose changes are written down with this login."""
    session = Session()
    try:
        session.execute(text("SELECT set_config('clinic.actor', :login, true)"), {"login": login})
        yield session
        session.commit()
    except Exception:
        session.rollback()
        raise
    finally:
        session.close()


def server_version(connection):
    return int(connection.execute(text("SHOW server_version_num")).scalar())


def check_collation(connection):
    """The address labels depend on German sort order."""
    found = connection.execute(text("SELECT current_setting('lc_collate')")).scalar()
    if not found.startswith("de_DE"):
        log.warning("lc_collate is %s, lists may be sorted strangely", found)
    return found


def practices_with_collation(connection, name):
    rows = connection.execute(
        text("SELECT practice_id, name FROM practices WHERE lc_collate = :name ORDER BY name"),
        {"name": name},
    )
    return rows.mappings().all()
