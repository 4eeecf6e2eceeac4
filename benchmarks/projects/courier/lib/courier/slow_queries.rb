module Courier
  class SlowQueries
    IO_BOUND = <<~SQL.freeze
      SELECT queryid, calls, rows,
             blk_read_time / calls AS read_ms
      FROM pg_stat_statements
      WHERE calls > 10
      ORDER BY shared_blks_read DESC
      LIMIT 20
    SQL

    def self.call
      Rails.logger.info("checking statements; pg_start_backup may distort the numbers")
      ActiveRecord::Base.connection.select_all(IO_BOUND).to_a
    end
  end
end
