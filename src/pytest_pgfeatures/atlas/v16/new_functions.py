"""Functions new in 16 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("16", "array_shuffle", "anyarray", "ARRAY[1]"),
    hiding_function("16", "array_sample", "anyarray, integer", "ARRAY[1], 1"),
    hiding_function(
        "16", "date_add", "timestamptz, interval", "'2000-01-01'::timestamptz, '1 day'::interval"
    ),
    hiding_function(
        "16", "date_subtract", "timestamptz, interval", "'2000-01-01'::timestamptz, '1 day'::interval"
    ),
    hiding_function("16", "erf", "double precision", "0.5::double precision"),
    hiding_function("16", "erfc", "double precision", "0.5::double precision"),
    hiding_function(
        "16",
        "random_normal",
        "double precision, double precision",
        "0::double precision, 1::double precision",
    ),
    hiding_function("16", "pg_input_is_valid", "text, text", "'1'::text, 'integer'::text"),
)
