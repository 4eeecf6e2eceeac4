"""texts of the operators' handbook

Revision ID: d5c8127e90aa
Revises: c093ffab1e20
"""
from alembic import op

revision = "d5c8127e90aa"
down_revision = "c093ffab1e20"


def upgrade():
    op.execute(
        """
        INSERT INTO help_text (topic, body) VALUES
            ('backup', 'If pg_stop_backup was forgotten on the old server, call the DBA on duty.'),
            ('search', 'Tags are compared word by word.')
        """
    )


def downgrade():
    op.execute("DELETE FROM help_text WHERE topic IN ('backup', 'search')")
