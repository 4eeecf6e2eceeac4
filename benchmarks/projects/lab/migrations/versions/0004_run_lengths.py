"""labels of run lengths, for the wall display"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade():
    op.create_table(
        "server_load",
        sa.Column("at", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("blk_read_time", sa.Float),
        sa.Column("checkpoints_timed", sa.BigInteger),
    )
    op.execute("ALTER TABLE runs ADD COLUMN planned interval NOT NULL DEFAULT interval '45 minutes'")
    op.execute("CREATE INDEX runs_planned_label ON runs ((planned::text))")
    op.execute("CREATE INDEX runs_started ON runs (started_at)")


def downgrade():
    op.execute("DROP INDEX runs_planned_label")
    op.execute("ALTER TABLE runs DROP COLUMN planned")
    op.drop_table("server_load")
