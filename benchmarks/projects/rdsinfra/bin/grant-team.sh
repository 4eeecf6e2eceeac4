#!/bin/bash
# grant-team.sh TEAM: privileges of a team's role in billing
set -euo pipefail
team=${1:?which team?}

psql -X -v ON_ERROR_STOP=1 -v team="$team" billing <<'SQL'
BEGIN;
GRANT USAGE ON SCHEMA billing TO :"team";
GRANT SELECT, INSERT, UPDATE, RULE, TRIGGER ON billing.invoice TO :"team";
GRANT SELECT ON billing.rule TO :"team";
GRANT SELECT, REFERENCES ON billing.account TO :"team";
COMMIT;
SQL
