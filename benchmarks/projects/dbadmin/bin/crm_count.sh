#!/bin/bash
# the CRM is on MariaDB; compares its customers with ours
set -euo pipefail
. "$(dirname "$0")/env.sh"

theirs=$(mysql -N -h crmdb -e "SELECT count(*) FROM customers WHERE active = 1AND deleted = 0")
ours=$(psql -XAtc "SELECT count(*) FROM pg_class WHERE relkind = 'r'")
log "crm: $theirs customers, erp: $ours tables"
