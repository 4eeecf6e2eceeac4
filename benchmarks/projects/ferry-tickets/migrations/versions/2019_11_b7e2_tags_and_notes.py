"""tags on bookings, drop the old notes language

Revision ID: b7e2914a3c55
Revises: a41f0c77d2b1
"""
import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "b7e2914a3c55"
down_revision = "a41f0c77d2b1"


def upgrade():
    op.add_column("booking", sa.Column("tags", postgresql.ARRAY(sa.Text()), nullable=False, server_default="{}"))
    op.execute("UPDATE booking SET tags = array_append(tags, 'freight') WHERE vehicle_length_cm > 700")
    op.execute("DROP LANGUAGE IF EXISTS plpython2u")


def downgrade():
    op.drop_column("booking", "tags")
