from flask import Flask

from . import admin, bookings, reports


def create_app():
    app = Flask(__name__)
    app.register_blueprint(bookings.blueprint)
    app.register_blueprint(reports.blueprint)
    app.register_blueprint(admin.blueprint)
    return app
