"""minutes of a crossing, charges of a season

Revision ID: 0015
Revises: 0014
"""
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade():
    op.execute("ALTER TABLE crossings ADD COLUMN minutes integer")
    op.execute("UPDATE crossings SET minutes = round(date_part('epoch', duration) / 60)")
    op.execute("CREATE INDEX crossings_interval_idx ON crossings (duration, id)")
    op.execute("CREATE INDEX crossings_route_text_idx ON crossings ((route_id::text))")
    op.execute(
        """
        CREATE TABLE season_charges (
            season text NOT NULL,
            reduced numeric(10,2) GENERATED ALWAYS AS (net * 0.8) STORED
        ) INHERITS (charges)
        """
    )
    op.execute("COMMENT ON TABLE season_charges IS 'gross is plain here: GENERATED ALWAYS only for reduced'")


def downgrade():
    op.execute("DROP TABLE season_charges")
    op.execute("DROP INDEX crossings_route_text_idx")
    op.execute("DROP INDEX crossings_interval_idx")
    op.execute("ALTER TABLE crossings DROP COLUMN minutes")
