"""the dew point comes from the service now

Revision ID: 0015
Revises: 0014
"""
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade():
    op.execute("DROP TRIGGER IF EXISTS readings_stamp ON readings")
    op.execute("DROP FUNCTION IF EXISTS stamp_reading()")
    op.execute("DROP FUNCTION IF EXISTS dew_point")
    op.execute("DROP FUNCTION IF EXISTS heat_index(numeric, numeric)")


def downgrade():
    raise NotImplementedError("restore from db/schema.sql")
