"""vouchers get an expiry

Revision ID: c093ffab1e20
Revises: b7e2914a3c55
"""
import sqlalchemy as sa
from alembic import op

revision = "c093ffab1e20"
down_revision = "b7e2914a3c55"


def upgrade():
    op.add_column("voucher", sa.Column("valid_until", sa.Date()))
    op.execute("UPDATE voucher SET valid_until = issued_on + INTERVAL '1.5 years' WHERE valid_until IS NULL")
    op.create_index("voucher_valid_until", "voucher", ["valid_until"])


def downgrade():
    op.drop_column("voucher", "valid_until")
