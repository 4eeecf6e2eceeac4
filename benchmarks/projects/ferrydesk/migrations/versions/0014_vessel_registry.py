"""registry numbers of the vessels

Revision ID: 0014
Revises: 0013
"""
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade():
    # the pilot's database got the column by hand
    op.execute("ALTER TABLE vessels ADD COLUMN IF NOT EXISTS imo_number integer UNIQUE")
    op.execute("ALTER TABLE vessels ADD COLUMN IF NOT EXISTS call_sign varchar(8)")
    op.execute("ALTER TABLE vessels ADD COLUMN flag char(2) DEFAULT 'GR' CHECK (flag = upper(flag))")
    op.execute("ALTER TABLE vessels ADD CONSTRAINT vessels_call_sign_key UNIQUE (call_sign)")
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS vessel_decks (
            vessel_id integer NOT NULL,
            deck_no integer NOT NULL CHECK (deck_no > 0)
        )
        """
    )


def downgrade():
    op.execute("ALTER TABLE vessels DROP CONSTRAINT vessels_call_sign_key")
    op.execute("ALTER TABLE vessels DROP COLUMN IF EXISTS flag")
