-- psql -v month=2023-05-01 -f run_all.sql
\set ON_ERROR_STOP on
\ir 01_checks.sql
\ir 02_accrue.sql
\ir 03_statements.sql
\ir 04_reports.sql
