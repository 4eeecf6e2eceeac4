from alembic import context
from sqlalchemy import create_engine

from ferrydesk.settings import DATABASE_URL


def run():
    engine = create_engine(DATABASE_URL)
    with engine.connect() as connection:
        context.configure(connection=connection, transaction_per_migration=True)
        with context.begin_transaction():
            context.run_migrations()


run()
