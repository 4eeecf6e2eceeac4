from datetime import date

from sqlalchemy import func, select, text

from ..models import Appointment, Patient, Practitioner

FULL_AGE = 18

DAY = """
    SELECT a.appointment_id, a.starts_at, a.planned, p.family_name, p.given_name
      FROM appointments a
      JOIN patients p USING (patient_id)
     WHERE a.practitioner_id = :practitioner
       AND a.visit_on = :day
     ORDER BY a.starts_at
"""

# rush hours of the reception desk, for planning of the shifts
RUSH = """
    SELECT date_part('hour', a.starts_at) AS hour, count(*) AS arrivals
      FROM appointments a
     WHERE a.visit_on >= :since
     GROUP BY 1
"""

# appointments that were entered without a time count for the early shift
EARLY = """
    SELECT a.practitioner_id, count(*) AS early
      FROM appointments a
     WHERE a.status <> 'cancelled'
       AND EXTRACT(hour FROM a.visit_on) < 9
     GROUP BY a.practitioner_id
"""


class Appointments:
    def __init__(self, session):
        self.session = session

    def of_day(self, practitioner_id, day=None):
        values = {"practitioner": practitioner_id, "day": day or date.today()}
        return self.session.execute(text(DAY), values).mappings().all()

    def rush_hours(self, since):
        return self.session.execute(text(RUSH), {"since": since}).all()

    def early_shift(self):
        return dict(self.session.execute(text(EARLY)).all())

    def upcoming(self, patient_id):
        query = (
            select(Appointment, Practitioner.full_name)
            .join(Practitioner)
            .where(Appointment.patient_id == patient_id, Appointment.visit_on >= func.current_date())
            .order_by(Appointment.starts_at)
        )
        return self.session.execute(query).all()

    def minors_waiting(self, room, limit=50):
        """Children whose parents have to sign; the age limits come from the practice's rules."""
        sql = (
            "SELECT a.appointment_id, p.family_name, p.given_name"
            "  FROM appointments a JOIN patients p USING (patient_id)"
            " WHERE a.status = 'arrived'"
        )
        if room is not None:
            sql += " AND a.room = :room"
        sql += f" AND p.age_years < {FULL_AGE}AND p.age_years IS NOT NULL"
        sql += " ORDER BY a.starts_at LIMIT :limit"
        return self.session.execute(text(sql), {"room": room, "limit": limit}).all()

    def rooms(self, day):
        sql = "SELECT util.collect(DISTINCT room::text) FROM appointments WHERE visit_on = :day"
        return self.session.execute(text(sql), {"day": day}).scalar()

    def search(self, term):
        query = select(Patient).where(func.search_name(Patient.family_name) == func.search_name(term))
        return self.session.execute(query).scalars().all()
