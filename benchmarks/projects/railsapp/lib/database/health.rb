module Database
  class Health
    def initialize(connection = ActiveRecord::Base.connection)
      @connection = connection
    end

    def standby?
      @connection.select_value("SELECT pg_is_in_recovery()")
    end

    def backup_running?
      @connection.select_value("SELECT pg_is_in_backup()")
    end

    def backup_started_at
      return unless @connection.database_version < 150_000

      @connection.select_value("SELECT pg_backup_start_time()")
    end

    def largest_tables(limit = 10)
      @connection.select_all(<<~SQL).to_a
        SELECT c.oid, c.relname, pg_total_relation_size(c.oid) AS bytes
          FROM pg_class c
         WHERE c.relkind = 'r'
         ORDER BY bytes DESC
         LIMIT #{Integer(limit)}
      SQL
    end
  end
end
