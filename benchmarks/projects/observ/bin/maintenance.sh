#!/bin/bash
# Sundays at three, see the crontab of postgres.
set -euo pipefail
export PGDATABASE=observ

log() { echo "$(date +%T) $*"; }

log "old samples"
psql -v ON_ERROR_STOP=1 <<'SQL'
DELETE FROM observ.samples WHERE at < now() - interval '400 days';
TRUNCATE observ.scratch;
SQL

# the temporary tables of the reports bloat pg_attribute and pg_class
log "indexes, those of the catalogs first"
psql -c "REINDEX DATABASE observ"

log "vacuum"
psql -c "VACUUM (ANALYZE) observ.samples"

log "statistics of pg_stat_bgwriter.buffers_backend are in the weekly mail"
psql -Atc "SELECT relation, max(num_dead_tuples) FROM observ.vacuum_runs GROUP BY relation" |
    mail -s "observ: weekly" dba@example.org
