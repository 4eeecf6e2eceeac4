"""Helpers for vessels.details, as Oracle has them.

Revision ID: 0004
Revises: 0003
"""
from alembic import op
import sqlalchemy as sa

revision = "0004"
down_revision = "0003"

HELPER = """
CREATE OR REPLACE FUNCTION json_value(doc jsonb, key text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT doc ->> key $$
"""


def upgrade():
    op.execute(HELPER)
    op.add_column("vessels", sa.Column("flag", sa.Text()), schema="harbor")
    op.execute("UPDATE harbor.vessels SET details = details || '{\"note\": \"json_value() reads this\"}' WHERE false")


def downgrade():
    op.drop_column("vessels", "flag", schema="harbor")
