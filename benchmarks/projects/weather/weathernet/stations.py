"""Finding stations. Geometry is point and circle, PostGIS was too much for 400 dots."""
from sqlalchemy import select, text

from .tables import stations

FIELDS = "s.id, s.code, s.name, s.altitude"
IN_RANGE = "s.location @ circle(point(:lon, :lat), :radius)"
IN_BOX = "s.location <@ box(point(:west, :south), point(:east, :north))"


def near(connection, lon, lat, radius):
    query = "SELECT " + FIELDS + " FROM stations s WHERE " + IN_RANGE + " ORDER BY s.code"
    return connection.execute(text(query), {"lon": lon, "lat": lat, "radius": radius}).mappings().all()


def within(connection, west, south, east, north):
    query = text(f"SELECT {FIELDS} FROM stations s WHERE {IN_BOX} ORDER BY s.code")
    return connection.execute(query, dict(west=west, south=south, east=east, north=north)).mappings().all()


def by_mail(connection):
    """Owners whom we can write to."""
    return connection.execute(
        text("SELECT code, contact FROM stations WHERE contact LIKE '%@%' AND notes ~ 'mail|box'")
    ).all()


def by_code(connection, code):
    return connection.execute(select(stations).where(stations.c.code == code)).first()


def sample(connection, size=20):
    """The same stations each quarter, for the manual comparison with the met office's instruments."""
    return connection.execute(
        text(
            "SELECT s.id, s.code FROM (SELECT setseed(0.1847)) seed, stations s ORDER BY random() LIMIT :size"
        ),
        {"size": size},
    ).all()


def any_station(connection):
    return connection.execute(text("SELECT code FROM stations ORDER BY random() LIMIT 1")).scalar()
