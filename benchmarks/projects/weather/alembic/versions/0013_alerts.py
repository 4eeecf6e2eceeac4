"""alerts

Revision ID: 0013
Revises: 0012
"""
import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "alerts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("station_id", sa.Integer, sa.ForeignKey("stations.id"), nullable=False),
        sa.Column("raised_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.execute("ALTER TABLE stations ADD COLUMN keep_for interval DEFAULT interval '1.5 years'")


def downgrade():
    op.drop_table("alerts")
    op.execute("ALTER TABLE stations DROP COLUMN keep_for")
