CREATE TABLE orders (id bigint PRIMARY KEY, at timestamptz, day date, total numeric, code text, box box, lc_collate text);
CREATE EXTENSION pg_stat_statements;
