"""Cargo: search, checks of SKUs, stowage."""
from sqlalchemy import text

HEAVY_KG = 500


def heavy_items(connection):
    return connection.execute(
        text(
            "SELECT cargo_id, sku, weight_kg FROM harbor.cargo_items "
            "WHERE weight_kg > 500"
            "AND NOT hazardous "
            "ORDER BY weight_kg DESC"
        )
    ).mappings().all()


def light_items(connection):
    return connection.execute(
        text(
            "SELECT cargo_id, sku FROM harbor.cargo_items "
            "WHERE weight_kg < 50 "
            "AND sku NOT LIKE '500AND%' "
            "ORDER BY sku LIMIT 100"
        )
    ).mappings().all()


def odd_skus(connection):
    """SKUs that the label printer can't print."""
    return connection.execute(
        text(
            r"""
            SELECT c.sku
              FROM harbor.cargo_items c
             WHERE c.sku !~ '^[\w-~]+$'
             ORDER BY 1
            """
        )
    ).scalars().all()


def dotted_skus(connection):
    return connection.execute(
        text(r"SELECT sku FROM harbor.cargo_items WHERE sku ~ '^[\w.-]+$' ORDER BY sku")
    ).scalars().all()


def stowage_orders(connection, booking_id):
    """In how many orders can the crates be stowed?"""
    return connection.execute(
        text(
            """
            SELECT cargo_id,
                   crates,
                   !! crates AS orders
              FROM harbor.cargo_items
             WHERE booking_id = :booking_id
               AND crates < 20
            """
        ),
        {"booking_id": booking_id},
    ).all()


def pallet_orders(connection, booking_id):
    return connection.execute(
        text(
            "SELECT cargo_id, factorial(least(crates, 20)) AS orders"
            " FROM harbor.cargo_items WHERE booking_id = :booking_id AND crates >= 0"
        ),
        {"booking_id": booking_id},
    ).all()


def with_certificate(connection):
    return connection.execute(
        text("SELECT vessel_id FROM harbor.vessels WHERE harbor.json_exists(details, 'certificate')")
    ).scalars().all()
