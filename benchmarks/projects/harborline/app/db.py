"""Engine and the settings of a session."""
import os

from sqlalchemy import create_engine, event, text

URL = os.environ.get("HARBOR_DATABASE_URL", "postgresql+psycopg://harbor@/harbor")

engine = create_engine(
    URL,
    pool_pre_ping=True,
    connect_args={"options": "-c search_path=harbor,public"},
)


@event.listens_for(engine, "connect")
def session_settings(dbapi_connection, _record):
    cursor = dbapi_connection.cursor()
    cursor.execute("SET statement_timeout = '15s'")
    cursor.execute("SET harborline.client = 'web'")
    cursor.close()


def use_tenant(connection, tenant):
    """Row security policies read this setting."""
    connection.execute(
        text("SELECT set_config('harbor-line.tenant', :tenant, false)"),
        {"tenant": tenant},
    )


def create_login(connection, name, password):
    """Logins of handheld scanners. Their driver knows only MD5."""
    connection.execute(text("SET LOCAL password_encryption = 'md5'"))
    quoted = connection.connection.cursor().mogrify("%s", [password]).decode()
    connection.exec_driver_sql(f'CREATE ROLE "{name}" LOGIN PASSWORD {quoted}')


def create_report_login(connection, name):
    with connection.begin():
        connection.execute(text("SET LOCAL password_encryption = on"))
        connection.exec_driver_sql(f'ALTER ROLE "{name}" LOGIN')


def tables(connection):
    return connection.execute(
        text(
            """
            SELECT table_name
              FROM information_schema.tables
             WHERE table_schema = 'harbor'
             ORDER BY table_name
            """
        )
    ).scalars().all()
