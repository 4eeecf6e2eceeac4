"""weekly statistics

Revision ID: 7c1f0a92d3e4
Revises: 51b8e9c0aa17
"""
import sqlalchemy as sa
from alembic import op

revision = "7c1f0a92d3e4"
down_revision = "51b8e9c0aa17"


def upgrade():
    op.create_table(
        "visit_stats",
        sa.Column("practice_id", sa.Integer, sa.ForeignKey("practices.practice_id"), primary_key=True),
        sa.Column("week", sa.Date, primary_key=True),
        sa.Column("visits", sa.Integer, nullable=False),
        sa.Column("total_time", sa.Float(53), nullable=False, server_default="0"),
    )
    op.execute(
        """
        INSERT INTO visit_stats (practice_id, week, visits, total_time)
        SELECT d.practice_id,
               date_trunc('week', a.starts_at)::date,
               count(*),
               sum(date_part('epoch', a.planned))
          FROM appointments a
          JOIN practitioners d USING (practitioner_id)
         WHERE a.status = 'done'
         GROUP BY 1, 2
        """
    )


def downgrade():
    op.drop_table("visit_stats")
