"""The desk: reservations, check-in, notices."""
import logging

from flask import Flask, jsonify

from . import db, notices, reservations, staff


def create_app(config=None):
    app = Flask(__name__)
    app.config.from_object("ferrydesk.settings")
    if config:
        app.config.update(config)
    logging.basicConfig(level=app.config.get("LOG_LEVEL", "INFO"))
    db.init_app(app)
    app.register_blueprint(reservations.bp, url_prefix="/reservations")
    app.register_blueprint(notices.bp, url_prefix="/notices")
    app.register_blueprint(staff.bp, url_prefix="/staff")

    @app.get("/healthz")
    def healthz():
        return jsonify(db.health())

    return app
