#!/usr/bin/env bash
# once per cluster, before the first migration
set -euo pipefail

psql -d postgres -v ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE payhub_app LOGIN PASSWORD 'SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$3xTQ3vOQ4AoVMHvSxgWVpjNLVHRVvlZkvVxDAGzwrRg=:Sg0VhPc9NpVWVQZFoRL6fD7mPKoDBOmF6bRFcnzkXZI=';
CREATE ROLE payhub_report LOGIN PASSWORD 'md56b1f4a9f3be2c8d0e7a5c41d29f8b374';
CREATE ROLE payhub_owner NOLOGIN;
GRANT payhub_owner TO payhub_app;
SQL

psql -d payhub -v ON_ERROR_STOP=1 <<'SQL'
GRANT SELECT ON payments, merchants, mandates TO payhub_report;
GRANT SELECT, INSERT, TRIGGER ON audit_log TO payhub_app;
SQL
