from datetime import date

from clinic.repositories import Appointments


def test_day_is_empty(session):
    assert Appointments(session).of_day(1, date(2023, 1, 1)) == []


def test_rush_hours(session):
    assert Appointments(session).rush_hours(date(2023, 1, 1)) == []
