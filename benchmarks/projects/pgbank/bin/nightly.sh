#!/bin/bash
# Nightly batch, started by cron.d/pgbank
set -euo pipefail
export PGDATABASE=${PGDATABASE:-bank}
log=/var/log/pgbank/nightly.log
say() { echo "$(date +%FT%T) $*" >> "$log"; }

say "closing the day"
left=$(psql -XAtq -c "SELECT bank.close_day(current_date); SELECT count(*) FROM bank.postings WHERE status = 'open'")
if [ "$left" != 0 ]; then
    say "$left postings are still open"
fi

accounts=$(psql -XAtq -c "SELECT count(*) FROM bank.open_accounts")
say "$accounts accounts"

psql -XAtq -c "SELECT 'audit', count(*) FROM bank.audit" -c "SELECT 'loans', count(*) FROM bank.loans" >> "$log"

psql -X -q <<'SQL'
VACUUM (ANALYZE) bank.accounts;
VACUUM (ANALYZE) bank.loans;
SQL
