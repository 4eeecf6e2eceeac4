"""audit of sessions

Revision ID: e2aa7741f059
Revises: 0d93be51c6f8
"""
import sqlalchemy as sa
from alembic import op

revision = "e2aa7741f059"
down_revision = "0d93be51c6f8"


def upgrade():
    op.create_table(
        "audit_sessions",
        sa.Column("session_id", sa.BigInteger, primary_key=True),
        sa.Column("login", sa.Text, nullable=False),
        sa.Column("system_user", sa.Text, nullable=False, quote=True),
        sa.Column("workstation", sa.Text),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.func.now()),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
    )
    op.execute(
        """
        DO $$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'clinic_report') THEN
                CREATE ROLE clinic_report NOLOGIN;
            END IF;
            EXECUTE format('ALTER ROLE %I SET max_parallel_workers_per_gather = 4', 'clinic_report');
        END
        $$
        """
    )


def downgrade():
    op.drop_table("audit_sessions")
