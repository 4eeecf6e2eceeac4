from datetime import date

from fastapi import APIRouter, Depends
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.db import connection

router = APIRouter()


@router.get("/delivery-times")
async def delivery_times(since: date, conn: AsyncConnection = Depends(connection)):
    result = await conn.execute(
        text("""
            SELECT d.code, count(*) AS parcels,
                   avg(extract(epoch FROM p.delivered_at - p.created_at)) / 3600 AS hours
              FROM parcels p
              JOIN depots d ON d.id = p.depot_id
             WHERE p.delivered_at >= :since
             GROUP BY d.code
             ORDER BY d.code
        """),
        {"since": since},
    )
    return [dict(row) for row in result.mappings()]


@router.get("/busy-hours")
async def busy_hours(depot: str, conn: AsyncConnection = Depends(connection)):
    result = await conn.execute(
        text("""
            SELECT date_part('hour', s.scanned_at) AS hour, count(*) AS scans
              FROM scans s
              JOIN parcels p ON p.id = s.parcel_id
              JOIN depots d ON d.id = p.depot_id
             WHERE d.code = :depot
             GROUP BY 1
            HAVING count(*) > 1e2
             ORDER BY 1
        """),
        {"depot": depot},
    )
    return [dict(row) for row in result.mappings()]
