"""Functions new in 18 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("18", "array_reverse", "anyarray", "ARRAY[1, 2]"),
    hiding_function("18", "array_sort", "anyarray", "ARRAY[2, 1]"),
    hiding_function("18", "casefold", "text", "'A'::text"),
    hiding_function("18", "crc32", "bytea", "'a'::bytea"),
    hiding_function("18", "gamma", "double precision", "5::double precision"),
    hiding_function("18", "reverse", "bytea", "'ab'::bytea", among=("bytea",)),
    hiding_function("18", "uuidv4", "", ""),
    hiding_function("18", "uuidv7", "", ""),
    hiding_function("18", "crc32c", "bytea", "'a'::bytea"),
    hiding_function("18", "lgamma", "double precision", "3::double precision"),
)
