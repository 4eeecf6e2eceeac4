from logging.config import fileConfig

from alembic import context
from sqlalchemy import engine_from_config, pool

from weathernet.tables import metadata

config = context.config
fileConfig(config.config_file_name)


def run_migrations_online():
    engine = engine_from_config(config.get_section(config.config_ini_section), poolclass=pool.NullPool)
    with engine.connect() as connection:
        context.configure(connection=connection, target_metadata=metadata)
        with context.begin_transaction():
            context.run_migrations()


run_migrations_online()
