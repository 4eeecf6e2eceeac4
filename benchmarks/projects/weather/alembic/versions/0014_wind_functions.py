"""functions for wind

Revision ID: 0014
Revises: 0013
"""
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

BEAUFORT = """
    CREATE FUNCTION beaufort(mps numeric) RETURNS integer AS
    'SELECT round(power(mps / 0.836, 0.6667))::integer'
    LANGUAGE sql IMMUTABLE
    WITH (isStrict)
"""

SECTOR = """
    CREATE FUNCTION wind_sector(degrees integer) RETURNS integer AS
    'SELECT (((degrees + 22) % 360) / 45)'
    LANGUAGE sql IMMUTABLE STRICT
"""


def upgrade():
    op.execute(BEAUFORT)
    op.execute(SECTOR)


def downgrade():
    op.execute("DROP FUNCTION IF EXISTS beaufort(numeric)")
    op.execute("DROP FUNCTION IF EXISTS wind_sector(integer)")
