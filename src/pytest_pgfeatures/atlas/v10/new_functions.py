"""Functions of 10 whose names applications may have given to their own."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("10", "regexp_match", "text, text", "'a'::text, 'a'::text"),
)
