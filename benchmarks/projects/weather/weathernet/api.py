from fastapi import Depends, FastAPI, HTTPException
from sqlalchemy import text

from . import stations
from .database import engine
from .reports import monthly

app = FastAPI(title="weathernet")


def connection():
    with engine.connect() as opened:
        yield opened


@app.get("/stations/near")
def near(lon: float, lat: float, radius: float = 0.5, db=Depends(connection)):
    return [dict(row) for row in stations.near(db, lon, lat, radius)]


@app.get("/stations/{code}/latest")
def latest(code: str, db=Depends(connection)):
    row = db.execute(
        text(
            """
            SELECT r.observed_at, r.temperature, r.humidity, r.pressure
              FROM readings r
              JOIN stations s ON s.id = r.station_id
             WHERE s.code = :code
             ORDER BY r.observed_at DESC
             LIMIT 1 OFFSET 0
            """
        ),
        {"code": code},
    ).mappings().first()
    if row is None:
        raise HTTPException(404, "no such station")
    return dict(row)


@app.get("/reports/diurnal")
def diurnal(db=Depends(connection)):
    return monthly.diurnal(db)["mean"].to_dict()
