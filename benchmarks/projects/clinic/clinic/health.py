"""Health endpoint: what the load balancer and the dashboard ask."""
import logging

from sqlalchemy import func, select, text

from .db import server_version

log = logging.getLogger(__name__)

WRITER = text("SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter")

# one checkpoint every five minutes: 288 a day
CHECKPOINTS = text(
    """
    SELECT
        round(100.0 * checkpoints_timed / 288) AS percent,
        stats_reset
      FROM pg_stat_bgwriter
    """
)

# seconds since the last checkpoint
CHECKPOINT_AGE = text("SELECT date_part('epoch', now() - checkpoint_time) FROM pg_control_checkpoint()")


def backup_running(connection):
    """Deployments wait while the nightly base backup runs."""
    return connection.execute(select(func.pg_is_in_backup())).scalar()


def slowest(connection, limit=10):
    """The statements that take the most time, for the admin page."""
    if server_version(connection) >= 130000:
        query = "SELECT queryid, calls, total_exec_time FROM pg_stat_statements ORDER BY 3 DESC LIMIT :limit"
    else:
        query = "SELECT queryid, calls, total_time FROM pg_stat_statements ORDER BY 3 DESC LIMIT :limit"
    return connection.execute(text(query), {"limit": limit}).all()


def busiest_weeks(connection):
    return connection.execute(
        text("SELECT week, total_time FROM visit_stats ORDER BY total_time DESC LIMIT 5")
    ).all()


def status(connection):
    result = {"database": True}
    try:
        result["backup"] = backup_running(connection)
    except Exception:
        log.exception("pg_is_in_backup() failed, no information about backups")
    result["writer"] = dict(connection.execute(WRITER).mappings().one())
    result["checkpoint_age"] = connection.execute(CHECKPOINT_AGE).scalar()
    return result


def checkpoint_percent(connection):
    return connection.execute(CHECKPOINTS).scalar()
