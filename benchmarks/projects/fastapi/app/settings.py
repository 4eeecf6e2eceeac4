from functools import lru_cache

from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    database_url: str = "postgresql+asyncpg://parcels@db/parcels"
    pool_size: int = 10
    expected_collation: str = "en_US.UTF-8"
    carrier_webhook: str | None = None
    worker_poll_seconds: float = 2.0

    model_config = {"env_prefix": "PARCELS_"}


@lru_cache
def get_settings() -> Settings:
    return Settings()
