from fastapi import APIRouter, Depends
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.db import connection

router = APIRouter()

SLOWEST = (
    "SELECT left(query, 200) AS query, calls, round(total_exec_time) AS ms, "
    "round(blk_read_time + blk_write_time) AS io_ms "
    "FROM pg_stat_statements WHERE calls > 10 "
    "ORDER BY total_exec_time DESC LIMIT :n"
)

IO = "SELECT blks_read, blks_hit, blk_read_time FROM pg_stat_database WHERE datname = current_database()"


@router.get("/health")
async def health(conn: AsyncConnection = Depends(connection)):
    row = (
        await conn.execute(
            select(
                func.pg_is_in_recovery().label("replica"),
                func.pg_is_in_backup().label("backup"),
            )
        )
    ).one()
    return {"replica": row.replica, "backup": row.backup}


@router.get("/metrics")
async def metrics(conn: AsyncConnection = Depends(connection)):
    checkpoints = await conn.scalar(text("SELECT checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter"))
    io = (await conn.execute(text(IO))).mappings().one()
    return {"checkpoints": checkpoints, **io}


@router.get("/metrics/history")
async def metrics_history(conn: AsyncConnection = Depends(connection)):
    result = await conn.execute(
        text("SELECT taken_at, checkpoints_timed, buffers_clean FROM metric_samples ORDER BY taken_at DESC LIMIT 500")
    )
    return [dict(row) for row in result.mappings()]


@router.get("/slowest")
async def slowest(n: int = 20, conn: AsyncConnection = Depends(connection)):
    return [dict(row) for row in (await conn.execute(text(SLOWEST), {"n": n})).mappings()]
