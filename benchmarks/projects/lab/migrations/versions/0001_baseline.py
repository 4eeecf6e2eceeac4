"""the schema of lab 1.x"""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade():
    op.execute(Path("db/baseline.sql").read_text())


def downgrade():
    raise NotImplementedError
