"""Functions of 15 whose names applications may have given to their own."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("15", "regexp_count", "text, text", "'a'::text, 'a'::text"),
    hiding_function("15", "regexp_instr", "text, text", "'a'::text, 'a'::text"),
    hiding_function("15", "regexp_like", "text, text", "'a'::text, 'a'::text"),
    hiding_function("15", "regexp_substr", "text, text", "'a'::text, 'a'::text"),
)
