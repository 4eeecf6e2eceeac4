locals {
  metrics_query = <<-SQL
    SELECT pid, EXTRACT(EPOCH FROM now() - query_start) AS seconds
      FROM pg_stat_activity
     WHERE state <> 'idle'
  SQL
  count_query = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
  description = "replaces SELECT pg_is_in_backup() of old"
}
