"""Functions new in 12 that hide an application's functions of the same name."""

from pytest_pgfeatures import rows
from pytest_pgfeatures.atlas.patterns import hiding_function

rows(
    hiding_function("12", "cosh", "double precision", "1::double precision"),
    hiding_function("12", "log10", "double precision", "10::double precision"),
    hiding_function("12", "sinh", "double precision", "1::double precision"),
    hiding_function("12", "acosh", "double precision", "2::double precision"),
    hiding_function("12", "asinh", "double precision", "1::double precision"),
    hiding_function("12", "atanh", "double precision", "0.5::double precision"),
    hiding_function("12", "tanh", "double precision", "1::double precision"),
)
