"""Ports.

Revision ID: 0002
Revises: 0001
"""
from alembic import op
import sqlalchemy as sa

revision = "0002"
down_revision = "0001"


def upgrade():
    op.create_table(
        "ports",
        sa.Column("port_id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text(), server_default="UTC"),
        schema="harbor",
    )
    op.execute(
        "CREATE INDEX bookings_open_idx ON harbor.bookings (berth_id) WHERE departs_at IS NULL"
    )
    # needs the index; "SELECT 1 IS OF (integer)" style checks were removed before the first release


def downgrade():
    op.drop_table("ports", schema="harbor")
