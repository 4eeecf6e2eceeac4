import logging
from collections.abc import AsyncIterator

from fastapi import Request
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from app.settings import get_settings

logger = logging.getLogger(__name__)

engine = create_async_engine(get_settings().database_url, pool_size=get_settings().pool_size)


async def check_locale() -> None:
    """Sorting by name in the depot screens relies on the locale of the cluster."""
    async with engine.connect() as conn:
        collation = await conn.scalar(text("SHOW lc_collate"))
    if collation != get_settings().expected_collation:
        logger.warning("lc_collate of the database is %s, sort orders will differ", collation)


async def connection(request: Request) -> AsyncIterator[AsyncConnection]:
    async with engine.begin() as conn:
        await conn.execute(
            text("SELECT set_config('parcels.actor', :actor, true)"),
            {"actor": request.headers.get("x-actor", "anonymous")},
        )
        await conn.execute(
            text("SELECT set_config('parcels-api.request_id', :request_id, true)"),
            {"request_id": request.headers.get("x-request-id", "")},
        )
        yield conn
