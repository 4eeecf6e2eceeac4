"""Sends notifications to carriers, and cleans up. Runs as `python -m app.worker`."""

import asyncio
import logging

import asyncpg
import httpx

from app.settings import get_settings

logger = logging.getLogger("worker")

CLAIM = (
    "UPDATE outbox SET attempts = attempts + 1, claimed_at = now() "
    "WHERE id = (SELECT id FROM outbox "
    "WHERE sent_at IS NULL AND attempts < 5"
    "ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) "
    "RETURNING id, parcel_id, body"
)

PURGE = """
    DELETE FROM parcels
     WHERE state = 'delivered'
       AND delivered_at < now() - interval '1.5 years'
"""


async def send_one(conn: asyncpg.Connection, client: httpx.AsyncClient) -> bool:
    async with conn.transaction():
        message = await conn.fetchrow(CLAIM)
        if message is None:
            return False
        response = await client.post(get_settings().carrier_webhook, content=message["body"])
        if response.is_success:
            await conn.execute("UPDATE outbox SET sent_at = now() WHERE id = $1", message["id"])
        else:
            logger.warning("message %s: %s", message["id"], response.status_code)
    return True


async def main() -> None:
    settings = get_settings()
    conn = await asyncpg.connect(settings.database_url.replace("+asyncpg", ""))
    async with httpx.AsyncClient(timeout=10) as client:
        while True:
            if not await send_one(conn, client):
                await conn.execute(PURGE)
                await asyncio.sleep(settings.worker_poll_seconds)


if __name__ == "__main__":
    asyncio.run(main())
