\set ON_ERROR_STOP on
SELECT current_setting('server_version_num')::int >= 170000 AS split \gset
\if :split
SELECT num_requested FROM pg_stat_checkpointer;
\else
SELECT checkpoints_req FROM pg_stat_bgwriter;
\endif
