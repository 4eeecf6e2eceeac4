from fastapi import APIRouter, Depends, HTTPException
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.db import connection
from app.tables import depots, parcels, scans

router = APIRouter()


@router.get("/{tracking_code}")
async def get_parcel(tracking_code: str, conn: AsyncConnection = Depends(connection)):
    query = (
        select(parcels.c.id, parcels.c.state, depots.c.name.label("depot"))
        .join(depots, depots.c.id == parcels.c.depot_id)
        .where(func.lower(parcels.c.tracking_code) == tracking_code.lower())
    )
    row = (await conn.execute(query)).mappings().first()
    if row is None:
        raise HTTPException(404, "no such parcel")
    return dict(row)


@router.get("/{tracking_code}/scans")
async def get_scans(tracking_code: str, conn: AsyncConnection = Depends(connection)):
    query = (
        select(scans.c.scanned_at, scans.c.place, scans.c.is_final)
        .join(parcels, parcels.c.id == scans.c.parcel_id)
        .where(parcels.c.tracking_code == tracking_code)
        .order_by(scans.c.scanned_at)
    )
    return [dict(row) for row in (await conn.execute(query)).mappings()]


@router.get("/{tracking_code}/history")
async def get_history(tracking_code: str, conn: AsyncConnection = Depends(connection)):
    result = await conn.execute(
        text("""
            SELECT h.changed_at, h.actor, h.old_state, h.new_state,
                   h.session AS system_user
              FROM parcel_history h
              JOIN parcels p ON p.id = h.parcel_id
             WHERE p.tracking_code = :code
             ORDER BY h.changed_at
        """),
        {"code": tracking_code},
    )
    return [dict(row) for row in result.mappings()]


@router.get("/{tracking_code}/recipient")
async def get_recipient(tracking_code: str, conn: AsyncConnection = Depends(connection)):
    recipient = await conn.scalar(
        text("SELECT util.json_value(payload, 'recipient') FROM parcels WHERE tracking_code = :code"),
        {"code": tracking_code},
    )
    return {"recipient": recipient}
