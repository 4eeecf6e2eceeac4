"""Queries that the ORM can't express, or not well enough."""

from django.db import connection

from .models import Clinic, Patient

# Clinics whose home visit area has the owner's address in it.
CLINICS_FOR_HOME_VISIT = """
    SELECT c.id, c.name, c.city, c.phone, c.opened_on
      FROM clinics_clinic c
      JOIN clinics_owner o ON o.home @ c.service_area
     WHERE o.id = %s
"""

# The same the other way round, for the map of the travelling vet.
OWNERS_IN_AREA = """
    SELECT o.id, o.last_name, o.phone
      FROM clinics_owner o, clinics_clinic c
     WHERE c.id = %s
       AND o.home <@ c.service_area
     ORDER BY o.home <-> c.location
"""

BAD_ADDRESSES = """
    SELECT id, email
      FROM clinics_owner
     WHERE email !~ '^[^@ ]+@[^@ ]+$'
        OR email ~ '[.]@'
"""

SENIORS = """
    SELECT p.id, p.name, EXTRACT(year FROM age(p.born))::int AS years
      FROM clinics_patient p
     WHERE p.is_active AND p.species = %s
       AND date_part('year', age(p.born)) >= %s
     ORDER BY p.born
"""

NOTES = """
    SELECT id, name
      FROM clinics_patient
     WHERE to_tsvector('simple', notes) @@ plainto_tsquery('simple', %s)
     ORDER BY id
"""

ROOM_LOAD = """
    SELECT room, sum(calls) AS calls, sum(total_time) AS total_time
      FROM clinics_roomusage
     WHERE clinic_id = %s AND day BETWEEN %s AND %s
     GROUP BY room
     ORDER BY sum(total_time) DESC
"""

DOSES = """
    SELECT drug, dose, count(*)
      FROM clinics_prescription
     WHERE dose IN ('250mg', '1or2 tablets', '0.5ml')
     GROUP BY drug, dose
"""


def clinics_for_home_visit(owner_id):
    return list(Clinic.objects.raw(CLINICS_FOR_HOME_VISIT, [owner_id]))


def _rows(sql, params=()):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def owners_in_area(clinic_id):
    return _rows(OWNERS_IN_AREA, [clinic_id])


def bad_addresses():
    return _rows(BAD_ADDRESSES)


def seniors(species, years):
    return _rows(SENIORS, [species, years])


def search_notes(words):
    return Patient.objects.raw(NOTES, [words])


def room_load(clinic_id, first, last):
    return _rows(ROOM_LOAD, [clinic_id, first, last])


def unusual_doses():
    return _rows(DOSES)
