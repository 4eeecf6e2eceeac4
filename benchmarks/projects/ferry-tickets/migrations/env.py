from logging.config import fileConfig

from alembic import context
from sqlalchemy import engine_from_config, pool

from ferry.models import Base

config = context.config
fileConfig(config.config_file_name)


def run_migrations_online():
    engine = engine_from_config(config.get_section("alembic"), prefix="sqlalchemy.", poolclass=pool.NullPool)
    with engine.connect() as connection:
        context.configure(connection=connection, target_metadata=Base.metadata)
        with context.begin_transaction():
            context.run_migrations()


run_migrations_online()
