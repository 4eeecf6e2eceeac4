"""Writes numbers of the server for the dashboard's agent, as lines of key and value."""
from etl.db import warehouse


def checkpoints(connection):
    """checkpoints_timed and checkpoints_req, wherever the server has them"""
    if connection.info.server_version >= 170000:
        query = "SELECT num_timed, num_requested FROM pg_stat_checkpointer"
    else:
        query = "SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter"
    return connection.execute(query).fetchone()


def vacuums(connection):
    return connection.execute(
        """
        SELECT relid::regclass::text, phase, heap_blks_scanned, heap_blks_total
          FROM pg_stat_progress_vacuum
         WHERE datname = current_database()
        """
    ).fetchall()


def main():
    with warehouse() as connection:
        timed, requested = checkpoints(connection)
        print("checkpoints.timed", timed)
        print("checkpoints.requested", requested)
        for relation, phase, scanned, total in vacuums(connection):
            print(f"vacuum.{relation}", phase.replace(" ", "_"), scanned, total)


if __name__ == "__main__":
    main()
