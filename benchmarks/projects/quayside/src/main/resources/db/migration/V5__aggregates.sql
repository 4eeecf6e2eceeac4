CREATE AGGREGATE collect(anyelement) (
    stype    = anyarray,
    initcond = '{}',
    sfunc    = array_append
);

CREATE AGGREGATE collect_berths(integer) (sfunc = array_append, stype = integer[], initcond = '{}');

CREATE AGGREGATE product(numeric) (
    sfunc = numeric_mul,
    stype = numeric
);
