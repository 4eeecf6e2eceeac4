"""Audit of scanners.

Revision ID: 0003
Revises: 0002
"""
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade():
    op.execute(
        """
        CREATE TABLE harbor.scanner_audit (
            audit_id bigserial PRIMARY KEY,
            scanner text NOT NULL,
            system_user text NOT NULL,
            at timestamptz NOT NULL DEFAULT now()
        )
        """
    )
    op.execute("CREATE INDEX scanner_audit_at_idx ON harbor.scanner_audit (at)")


def downgrade():
    op.execute("DROP TABLE harbor.scanner_audit")
