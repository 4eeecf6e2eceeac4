"""partition events

Revision ID: 3f1a
"""
from alembic import op


def upgrade():
    op.execute("CREATE UNLOGGED TABLE events (id bigint, at date) PARTITION BY RANGE (at)")
    op.execute("CREATE UNLOGGED TABLE event_buffer (id bigint, at date)")
    op.execute("GRANT RULE ON accounts TO reporting")
    op.execute("GRANT UPDATE, TRIGGER ON accounts TO reporting")
    op.execute(
        """
        CREATE RULE "_RETURN" AS ON SELECT TO recent
        DO INSTEAD SELECT 1 AS id, 'a'::text AS name, ''::text AS bgwriter
        """
    )
    op.execute("CREATE RULE no_delete AS ON DELETE TO accounts DO INSTEAD NOTHING")
    op.execute("ANALYZE measurements")
    op.execute("ANALYZE accounts")


def downgrade():
    op.execute("DROP TABLE events")
