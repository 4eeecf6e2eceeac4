"""half-lives of calibration sources"""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    op.execute("INSERT INTO nuclides (symbol, half_life) VALUES ('Co-60', interval '5.27 years')")
    op.execute("INSERT INTO nuclides (symbol, half_life) VALUES ('Cs-137', interval '30.17 years')")
    op.execute("INSERT INTO nuclides (symbol, half_life) VALUES ('Sr-90', interval '28.8 years')")
    op.execute("INSERT INTO nuclides (symbol, half_life) VALUES ('I-131', interval '8.02 days')")


def downgrade():
    op.execute("DELETE FROM nuclides WHERE symbol IN ('Co-60', 'Cs-137', 'Sr-90', 'I-131')")
