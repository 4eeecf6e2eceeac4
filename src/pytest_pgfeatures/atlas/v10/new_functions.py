"""Functions new in 10 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("10", "regexp_match", "text, text", "'a'::text, 'a'::text"),
)
