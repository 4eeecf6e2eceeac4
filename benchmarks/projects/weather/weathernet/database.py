import os

from sqlalchemy import create_engine, text

engine = create_engine(os.environ.get("DATABASE_URL", "postgresql+psycopg2:///weather"), pool_pre_ping=True)


def session_for(station):
    """A connection that carries the station's code, for the row filters and the log."""
    connection = engine.connect()
    connection.execute(text("SELECT set_config('weather.station', :code, false)"), {"code": station})
    connection.execute(
        text("SELECT set_config('weather-net.tenant', :tenant, false)"),
        {"tenant": station.split("-")[0]},
    )
    return connection


def is_standby(connection):
    return connection.execute(text("SELECT pg_is_in_recovery()")).scalar()
