-- runs at 04:30, after the loads
\set ON_ERROR_STOP on
\timing on

-- Of the hits, the parent is empty but for strays. The children are analyzed after each load.
VACUUM (ANALYZE) warehouse.web_hits;
ANALYZE warehouse.web_hits_2023;

-- orders are partitioned: this gives statistics of the whole, too
ANALYZE warehouse.orders;
VACUUM (ANALYZE) warehouse.order_items, warehouse.dim_product;

-- how long the reports take, for the dashboard
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
SELECT current_setting('server_version_num')::int >= 130000 AS planned_apart \gset
\if :planned_apart
INSERT INTO quality.statement_times (queryid, calls, ms)
SELECT queryid, calls, total_exec_time FROM pg_stat_statements WHERE calls > 1;
\else
INSERT INTO quality.statement_times (queryid, calls, ms)
SELECT queryid, calls, total_time FROM pg_stat_statements WHERE calls > 1;
\endif
