"""normalize phone numbers, and age for the vaccination letters

Revision ID: 0d93be51c6f8
Revises: 7c1f0a92d3e4
"""
from alembic import op

revision = "0d93be51c6f8"
down_revision = "7c1f0a92d3e4"

# The import of 2014 left several numbers in one field, one a line.
STRIP = "UPDATE patients SET phone = regexp_replace(phone, '[^0-9]+', '', 'g') WHERE phone LIKE '%/%'"


def upgrade():
    op.execute(STRIP)
    op.execute("UPDATE patients SET phone = regexp_replace(phone, '\\D', '', 'g') WHERE phone ~ '[()]'")
    op.execute(
        "UPDATE patients"
        r"   SET notes = regexp_replace(notes, 'Tel\.\D+(\d+)', 'Tel. \1', 'gn')"
        " WHERE notes LIKE '%Tel.%'"
    )
    op.execute("UPDATE patients SET age_years = date_part('year', age(birth_date))")


def downgrade():
    pass
