#!/bin/bash
set -euo pipefail
TARGET=/backup/base-$(date +%F)

running=$(psql -XAt -v ON_ERROR_STOP=1 -U postgres -d payroll <<SQL
SELECT pg_backup_start_time() IS NOT NULL;
SQL
)
if [ "$running" = t ]; then
    echo "another pg_start_backup() is still open, giving up" >&2
    exit 1
fi

pg_basebackup -U postgres --wal-method=stream --checkpoint=fast --pgdata="$TARGET"
pg_dump -U postgres -Fc -f "$TARGET/payroll.dump" payroll
