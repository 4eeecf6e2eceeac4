#!/bin/bash
set -euo pipefail
: "${APP_PASSWORD:?}" "${REPORT_PASSWORD:?}"

createdb marketplace
psql -d marketplace -v ON_ERROR_STOP=1 -v app="$APP_PASSWORD" -v report="$REPORT_PASSWORD" <<'SQL'
CREATE ROLE marketplace_app LOGIN ENCRYPTED PASSWORD :'app';
CREATE ROLE marketplace_report LOGIN UNENCRYPTED PASSWORD :'report';
GRANT CONNECT ON DATABASE marketplace TO marketplace_app, marketplace_report;
SQL
psql -d marketplace -f db/structure.sql
php bin/console doctrine:migrations:migrate --no-interaction
