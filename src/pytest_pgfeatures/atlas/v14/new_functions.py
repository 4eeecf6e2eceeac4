"""Functions new in 14 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("14", "bit_count", "bytea", "'a'::bytea"),
    hiding_function(
        "14",
        "date_bin",
        "interval, timestamp, timestamp",
        "'1 day', '2000-01-01'::timestamp, '2000-01-01'::timestamp",
    ),
    hiding_function("14", "string_to_table", "text, text", "'a,b'::text, ','::text"),
    hiding_function("14", "trim_array", "anyarray, integer", "ARRAY[1, 2], 1"),
    hiding_function("14", "unistr", "text", "'a'::text"),
    hiding_function("14", "ltrim", "bytea, bytea", "'ab'::bytea, 'a'::bytea", among=("bytea",)),
    hiding_function("14", "rtrim", "bytea, bytea", "'ab'::bytea, 'b'::bytea", among=("bytea",)),
)
