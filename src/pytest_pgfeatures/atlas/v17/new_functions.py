"""Functions new in 17 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("17", "random", "integer, integer", "1, 1", among=("integer", "bigint", "numeric")),
    hiding_function("17", "to_bin", "integer", "5"),
    hiding_function("17", "to_oct", "integer", "9"),
    hiding_function("17", "uuid_extract_version", "uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid"),
    hiding_function("17", "xmltext", "text", "'a'::text"),
    hiding_function("17", "uuid_extract_timestamp", "uuid", "'a0eebc99-9c0b-1ef8-bb6d-6bb9bd380a11'::uuid"),
    hiding_function("17", "unicode_version", "", ""),
)
