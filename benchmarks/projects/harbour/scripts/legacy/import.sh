#!/usr/bin/env bash
# Copies yesterday's calls from the old planning system (MySQL, read only).
set -euo pipefail

mysql -h planning-old -N -e "SELECT call_no, imo, agent FROM calls WHERE draught >= 8AND closed = 0" > /tmp/calls.tsv

psql -X -v ON_ERROR_STOP=1 -d harbour <<'SQL'
CREATE TEMP TABLE incoming (call_no bigint, imo integer, agent text);
\copy incoming FROM '/tmp/calls.tsv'
UPDATE port.calls c SET agent = i.agent FROM incoming i WHERE c.id = i.call_no AND c.agent <> i.agent;
SQL
