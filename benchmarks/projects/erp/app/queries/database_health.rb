# frozen_string_literal: true

# Numbers for /admin/health. Everything here is cheap and needs pg_monitor only.
class DatabaseHealth
  WRITER = <<~SQL
    SELECT buffers_clean, maxwritten_clean, stats_reset
      FROM pg_stat_bgwriter
  SQL

  BLOCKED = <<~SQL
    SELECT pid, usename, state, left(query, 200) AS query
      FROM pg_stat_activity
     WHERE wait_event_type = 'Lock'
        OR wait_event_type = 'BufferPin'
  SQL

  MEMORY = <<~SQL
    SELECT c.name, c.parent, pg_size_pretty(c.total_bytes) AS total
      FROM pg_backend_memory_contexts AS c
     ORDER BY c.total_bytes DESC
     LIMIT 20
  SQL

  GROUPS = "SELECT name, parent, level FROM account_groups WHERE level = 0"

  def initialize(connection = ActiveRecord::Base.connection)
    @connection = connection
  end

  def to_h
    {
      writer: @connection.select_one(WRITER),
      blocked: @connection.select_all(BLOCKED).to_a,
      memory: @connection.select_all(MEMORY).to_a,
      locale: locale
    }
  end

  # Sort order of the reports depends on these two.
  def locale
    {
      collate: @connection.select_value("SHOW lc_collate"),
      monetary: @connection.select_value("SHOW lc_monetary")
    }
  end

  # WAL that the archiver has not taken yet
  def archive_backlog
    @connection.select_one("SELECT archived_count, failed_count, last_failed_wal FROM pg_stat_archiver")
  end
end
