"""flask harbor ...: jobs of the operators."""
import click
from flask.cli import AppGroup
from sqlalchemy import text

from .db import engine

harbor = AppGroup("harbor", help="Jobs for operators.")


@harbor.command("doctor")
def doctor():
    """Print hints for the database."""
    click.echo("If statistics look old, run:")
    click.echo("    SELECT pg_stat_reset_slru('MultiXactMember');")
    click.echo("    ANALYZE harbor.bookings;")


@harbor.command("reindex")
@click.option("--index", default="harbor.bookings_arrives_idx", help="Index to rebuild, e.g. after REINDEX DATABASE failed.")
def reindex(index):
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"REINDEX INDEX CONCURRENTLY {index}"))


@harbor.command("sessions")
def sessions():
    with engine.connect() as connection:
        for row in connection.execute(text('SELECT session_id, "system_user" FROM harbor.sessions ORDER BY opened_at')):
            click.echo(f"{row[0]} {row[1]}")


@harbor.command("who")
def who():
    """Compare the pool's role with what the audit log says."""
    with engine.connect() as connection:
        rows = connection.execute(
            text(
                "SELECT s.session_id, current_user AS system_user "
                "FROM harbor.sessions s WHERE s.opened_at > now() - interval '1 day'"
            )
        )
        for row in rows:
            click.echo(row)
