"""Functions new in 15 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("15", "regexp_count", "text, text", "'a'::text, 'a'::text"),
    hiding_function("15", "regexp_instr", "text, text", "'a'::text, 'a'::text"),
    hiding_function("15", "regexp_like", "text, text", "'a'::text, 'a'::text"),
    hiding_function("15", "regexp_substr", "text, text", "'a'::text, 'a'::text"),
)
