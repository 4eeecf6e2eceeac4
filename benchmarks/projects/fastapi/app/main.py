from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.db import check_locale, engine
from app.routers import ops, parcels, reports, vehicles


@asynccontextmanager
async def lifespan(app: FastAPI):
    await check_locale()
    yield
    await engine.dispose()


app = FastAPI(title="parcels-api", version="3.4.1", lifespan=lifespan)
app.include_router(parcels.router, prefix="/parcels")
app.include_router(vehicles.router, prefix="/vehicles")
app.include_router(reports.router, prefix="/reports")
app.include_router(ops.router, prefix="/ops")
