"""fares are computed in Python now, not in the database

Revision ID: a41f0c77d2b1
Revises:
"""
from alembic import op

revision = "a41f0c77d2b1"
down_revision = None


def upgrade():
    op.execute("DROP FUNCTION IF EXISTS fare_for(integer, integer, date)")
    op.execute("DROP FUNCTION IF EXISTS fare_season(date)")
    # plpythonu was only there for fare_for()
    op.execute("DROP LANGUAGE IF EXISTS 'plpythonu'")


def downgrade():
    raise NotImplementedError("fare_for() lives in the service")
