import os

from alembic import context
from sqlalchemy import create_engine

from clinic.models import Base

config = context.config


def run_migrations_online():
    url = os.environ.get("DATABASE_URL") or config.get_main_option("sqlalchemy.url")
    engine = create_engine(url)
    with engine.connect() as connection:
        context.configure(connection=connection, target_metadata=Base.metadata)
        with context.begin_transaction():
            context.run_migrations()


run_migrations_online()
