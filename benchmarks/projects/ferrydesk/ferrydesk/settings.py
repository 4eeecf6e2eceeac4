import os

DATABASE_URL = os.environ.get("DATABASE_URL", "postgresql:///ferrydesk")
BROKER_URL = os.environ.get("BROKER_URL", "redis://localhost/0")
HOLD_MINUTES = 45
LOG_LEVEL = os.environ.get("LOG_LEVEL", "INFO")
