"""dilution series and spline fits in the database"""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade():
    op.execute(
        """
        CREATE TABLE dilutions (
            id         bigserial PRIMARY KEY,
            sample_id  bigint NOT NULL REFERENCES samples,
            factors    double precision[] NOT NULL
        )
        """
    )
    op.execute(
        """
        CREATE FUNCTION fit_slope(xs double precision[], ys double precision[])
        RETURNS double precision
        IMMUTABLE LANGUAGE plpythonu AS $$
            import numpy
            return float(numpy.polyfit(xs, ys, 1)[0])
        $$
        """
    )
    op.execute(
        """
        CREATE FUNCTION factorial_design(levels integer) RETURNS numeric
        IMMUTABLE LANGUAGE sql AS $$
            SELECT factorial(levels) / 2
        $$
        """
    )


def downgrade():
    op.execute("DROP FUNCTION factorial_design(integer)")
    op.execute("DROP FUNCTION fit_slope(double precision[], double precision[])")
    op.drop_table("dilutions")
