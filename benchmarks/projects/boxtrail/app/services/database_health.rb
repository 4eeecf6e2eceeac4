# Numbers for the dashboard of the operations room.
class DatabaseHealth
  def report
    { checkpoints: checkpoints, waits: waits, io: io_times, samples: samples }
  end

  def checkpoints
    if connection.database_version >= 170000
      connection.select_one("SELECT num_timed AS timed, num_requested AS requested FROM pg_stat_checkpointer")
    else
      connection.select_one("SELECT checkpoints_timed AS timed, checkpoints_req AS requested FROM pg_stat_bgwriter")
    end
  end

  def waits
    connection.select_rows(<<~SQL)
      SELECT wait_event_type, count(*)
        FROM pg_stat_activity
       WHERE wait_event_type IN ('Lock', 'LWLock')
       GROUP BY 1
    SQL
  end

  def io_times
    connection.select_one(<<~SQL)
      SELECT sum(blk_read_time) AS reading, sum(blk_write_time) AS writing
        FROM pg_stat_database
       WHERE datname = current_database()
    SQL
  end

  def samples
    connection.select_rows(<<~SQL)
      SELECT taken_at::date,
             checkpoints_timed - lag(checkpoints_timed) OVER (ORDER BY taken_at)
        FROM server_samples
       ORDER BY taken_at
    SQL
  end

  def foreign_keys
    connection.select_values(<<~SQL)
      SELECT conname
        FROM pg_constraint
       WHERE conrelid = 'containers'::regclass AND contype = 'f'
       ORDER BY conname
    SQL
  end

  private

  def connection
    ActiveRecord::Base.connection
  end
end
