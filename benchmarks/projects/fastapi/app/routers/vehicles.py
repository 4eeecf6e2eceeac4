from fastapi import APIRouter, Depends
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.db import connection

router = APIRouter()

IN_AREA = """
    SELECT v.id, v.plate, v.location[0] AS lon, v.location[1] AS lat
      FROM vehicles v
     WHERE v.seen_at > now() - interval '15 minutes'
       AND v.location @ CAST(:area AS box)
     ORDER BY v.plate
"""

IN_ZONE = """
    SELECT v.id, v.plate
      FROM vehicles v
      JOIN zones z ON v.location <@ z.shape
     WHERE z.code = :zone
       AND v.plate ~ '^[A-Z]{1,3}-'
"""


@router.get("/in-area")
async def in_area(west: float, south: float, east: float, north: float, conn: AsyncConnection = Depends(connection)):
    area = f"(({west},{south}),({east},{north}))"
    result = await conn.execute(text(IN_AREA), {"area": area})
    return [dict(row) for row in result.mappings()]


@router.get("/in-zone/{zone}")
async def in_zone(zone: str, conn: AsyncConnection = Depends(connection)):
    result = await conn.execute(text(IN_ZONE), {"zone": zone})
    return [dict(row) for row in result.mappings()]


@router.put("/{vehicle_id}/location")
async def move(vehicle_id: int, lon: float, lat: float, conn: AsyncConnection = Depends(connection)):
    await conn.execute(
        text("UPDATE vehicles SET location = point(:lon, :lat), seen_at = now() WHERE id = :id"),
        {"lon": lon, "lat": lat, "id": vehicle_id},
    )
    return {"ok": True}
