"""Harborline: berth bookings for small ports."""
import logging

from flask import Flask

from . import bookings, cargo
from .db import engine

log = logging.getLogger(__name__)


def create_app(config=None):
    app = Flask(__name__)
    app.config.from_mapping(JSON_SORT_KEYS=False)
    if config:
        app.config.update(config)

    @app.get("/bookings/<int:booking_id>/stay")
    def stay(booking_id):
        with engine.connect() as connection:
            return {"seconds": bookings.stay_seconds(connection, booking_id)}

    @app.get("/cargo/heavy")
    def heavy():
        with engine.connect() as connection:
            return {"items": [dict(row) for row in cargo.heavy_items(connection)]}

    log.info("started")
    return app
