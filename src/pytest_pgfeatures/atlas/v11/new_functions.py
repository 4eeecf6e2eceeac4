"""Functions new in 11 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("11", "sha256", "bytea", "'a'"),
    hiding_function("11", "sha512", "bytea", "'a'"),
    hiding_function("11", "sha224", "bytea", "'a'"),
    hiding_function("11", "sha384", "bytea", "'a'"),
    hiding_function("11", "starts_with", "text, text", "'ab'::text, 'a'::text"),
    hiding_function("11", "websearch_to_tsquery", "text", "'a'::text"),
)
