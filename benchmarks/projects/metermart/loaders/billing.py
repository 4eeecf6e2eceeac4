"""Figures for the billing system."""
from __future__ import annotations

from datetime import date

from .connection import connect

RATES = """
    SELECT t.code, r.band, r.rate
      FROM raw.tariffs t
      JOIN raw.tariff_rates r USING (tariff_id)
     WHERE r.valid_from <= %(day)s
     ORDER BY t.code, r.band, r.valid_from
"""

OPEN_CONTRACTS = """
    SELECT c.contract_id, t.code, t.monthly, c.term::text AS term
      FROM raw.contracts c
      JOIN raw.tariffs t USING (tariff_id)
     WHERE c.ended_at IS NULL
     ORDER BY c.contract_id
"""

NOTICE = """
    SELECT t.code
      FROM raw.tariffs t
     WHERE t.notice::text = %s
     ORDER BY t.code
"""


def rates(day: date) -> list[tuple]:
    with connect() as connection:
        return connection.execute(RATES, {"day": day}).fetchall()


def open_contracts() -> list[tuple]:
    with connect() as connection:
        return connection.execute(OPEN_CONTRACTS).fetchall()


def tariffs_with_notice(notice: str) -> list[str]:
    with connect() as connection:
        return [code for (code,) in connection.execute(NOTICE, [notice])]


def interest(principal: float, years: int) -> float:
    with connect() as connection:
        row = connection.execute("SELECT round(%s * power(1.075, %s), 2)", [principal, years]).fetchone()
    return float(row[0])


def meter_changes(since: date) -> list[tuple]:
    """Meters that a fitter has changed; the days tell how long the old one served."""
    with connect() as connection:
        return connection.execute(
            """
            SELECT e.event_id, e.kind, m.serial, m.removed_on - m.installed_on AS days
              FROM raw.events_manual e
              JOIN raw.meters m USING (meter_id)
             WHERE e.happened_at >= %s
             ORDER BY e.event_id
            """,
            [since],
        ).fetchall()
