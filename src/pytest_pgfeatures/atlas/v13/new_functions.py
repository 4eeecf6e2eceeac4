"""Functions new in 13 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("13", "gen_random_uuid", "", ""),
    hiding_function("13", "gcd", "integer, integer", "4, 6"),
    hiding_function("13", "lcm", "integer, integer", "4, 6"),
    hiding_function("13", "min_scale", "numeric", "1.10"),
    hiding_function("13", "trim_scale", "numeric", "1.10"),
)
