#!/bin/bash
# compares the nodes of a cluster before a switchover
set -euo pipefail

for node in "$@"; do
    collation=$(psql -h "$node" -Atc "SHOW lc_collate")
    zone=$(psql -h "$node" -Atc "SHOW timezone")
    messages=$(psql -h "$node" -Atc "SHOW lc_messages")
    echo "$node $collation $zone $messages"
done
