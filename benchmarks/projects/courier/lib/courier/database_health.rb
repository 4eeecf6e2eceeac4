module Courier
  class DatabaseHealth
    def initialize(connection)
      @connection = connection
    end

    def writer
      @connection.select_one(<<~SQL)
        SELECT buffers_clean, maxwritten_clean,
               buffers_backend
        FROM pg_stat_bgwriter
      SQL
    end

    def allocations
      @connection.select_value("SELECT buffers_alloc FROM pg_stat_bgwriter")
    end

    def io_time
      @connection.select_value(<<~SQL)
        SELECT blk_read_time + blk_write_time
        FROM pg_stat_database
        WHERE datname = current_database()
      SQL
    end

    def lock_contention
      @connection.select_value(<<~SQL)
        SELECT count(*)
        FROM pg_stat_activity
        WHERE wait_event_type = 'LWLock'
          AND wait_event IN ('ProcArrayLock', 'WALWriteLock')
      SQL
    end

    def backup_running?
      if @connection.database_version < 150000
        @connection.select_value("SELECT pg_is_in_backup()")
      else
        @connection.select_value("SELECT count(*) > 0 FROM pg_stat_progress_basebackup")
      end
    end

    def collation
      @connection.select_value("SELECT datcollate::text FROM pg_database WHERE datname = current_database()")
    end
  end
end
