#!/bin/bash
# Weekly base backup and a logical dump of the configuration tables.
set -euo pipefail
target=/srv/backup/$(date +%G-W%V)
mkdir -p "$target"

pg_basebackup -h /var/run/postgresql -U gh_repl -D "$target/base" -F tar -z --checkpoint=fast
pg_dump -h /var/run/postgresql -U gh_app -d glasshouse --format=custom \
    --table=climate_profiles --table=irrigation_programs --table=nutrient_recipes --table=alert_rules \
    --file="$target/config.dump"
find /srv/backup -maxdepth 1 -type d -mtime +60 -exec rm -rf {} +
