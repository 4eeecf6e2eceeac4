#!/bin/bash
# Makes next year's partitions and detaches old ones. First of December.
. "$(dirname "$0")/common.sh"

next=$(date -d '+1 year' +%Y-01-01)

$PSQL <<SQL
SELECT dba.make_partition(parent_schema, parent_table, DATE '$next')
  FROM dba.partition_policy
 ORDER BY parent_schema, parent_table;
SELECT dba.detach_old(parent_schema, parent_table, current_date)
  FROM dba.partition_policy;
SQL

$PSQL -At -c "SELECT job, message FROM dba.job_run WHERE ran_at > localtimestamp - interval '1 hour'" | mail -s 'partitions' dba@landreg.example
