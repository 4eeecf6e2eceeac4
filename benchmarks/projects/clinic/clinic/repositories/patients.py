from sqlalchemy import text

from ..models import Patient

BIRTHDAYS = (
    "SELECT patient_id, family_name, given_name FROM patients "
    "WHERE to_char(birth_date, 'MM-DD') = to_char(CURRENT_DATE, 'MM-DD')"
)

# Retention: ten years for files, X-ray images of children until they are 28.
# The chamber's table has fractions, e.g. 1.3 years for consent forms.
EXPIRED_CONSENTS = """
    SELECT patient_id
      FROM patients
     WHERE changed_at < now() - interval '1.3 years'
       AND notes LIKE 'consent:%'
"""

EXPIRED_REFERRALS = """
    SELECT patient_id
      FROM patients
     WHERE changed_at < now() - interval '1.5 years'
       AND notes LIKE 'referral:%'
"""


class Patients:
    def __init__(self, session):
        self.session = session

    def get(self, patient_id):
        return self.session.get(Patient, patient_id)

    def birthdays(self):
        return self.session.execute(text(BIRTHDAYS)).all()

    def expired(self):
        for query in (EXPIRED_CONSENTS, EXPIRED_REFERRALS):
            yield from self.session.execute(text(query)).scalars()

    def insurance_number(self, patient_id):
        return self.session.execute(
            text("SELECT util.json_value(insurer_msg, 'kvnr') FROM patients WHERE patient_id = :id"),
            {"id": patient_id},
        ).scalar()

    def address_labels(self, ids):
        """One text for the label printer, a form feed between labels."""
        query = text(
            "SELECT string_agg(given_name || ' ' || family_name, chr(12) ORDER BY family_name)"
            "  FROM patients WHERE patient_id = ANY(:ids)"
        )
        return self.session.execute(query, {"ids": ids}).scalar()
