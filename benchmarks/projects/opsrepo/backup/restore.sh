#!/bin/bash
# restore.sh DAY DATABASE [NEW NAME]
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ $# -ge 2 ] || die "usage: $0 DAY DATABASE [NEW NAME]"
dump=$BACKUP_ROOT/$1/$2
name=${3:-$2_restored}
[ -d "$dump" ] || die "there is no $dump"

# the database gets the locale of the one it replaces
collate=$(ask "SELECT datcollate FROM pg_database WHERE datname = '$2'")
createdb --template=template0 --encoding=UTF8 --locale="${collate:-C.UTF-8}" "$name"
pg_restore --dbname="$name" --jobs=4 --exit-on-error "$dump"
vacuumdb --analyze-only --jobs=2 --dbname="$name"
reindexdb --dbname="$name" --table=pg_largeobject
log "$2 of $1 is in $name"
