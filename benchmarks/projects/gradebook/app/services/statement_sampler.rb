# Keeps a sample of the slowest statements. Runs in both data centres, whose servers differ.
class StatementSampler
  LIMIT = 50

  def call
    connection.execute("INSERT INTO statement_samples (queryid, calls, blk_read_time) #{source}")
  end

  def slowest
    connection.select_all(<<~SQL)
      SELECT queryid, max(calls) AS calls, max(blk_read_time) AS read_ms
        FROM statement_samples
       GROUP BY queryid
       ORDER BY 3 DESC
       LIMIT #{LIMIT}
    SQL
  end

  private

  def source
    if connection.database_version >= 170_000
      "SELECT queryid, calls, shared_blk_read_time FROM pg_stat_statements"
    else
      "SELECT queryid, calls, blk_read_time FROM pg_stat_statements"
    end
  end

  def connection
    ActiveRecord::Base.connection
  end
end
