namespace :database do
  desc "Statements that wait for the disk"
  task io: :environment do
    rows = ActiveRecord::Base.connection.select_all(<<~SQL)
      SELECT left(query, 60) AS query,
             round(total_exec_time::numeric, 1) AS ms,
             round((blk_read_time / calls)::numeric, 2) AS read_ms
        FROM pg_stat_statements
       WHERE calls > 100
       ORDER BY total_exec_time DESC
       LIMIT 20
    SQL
    rows.each { |row| puts row.values.join("\t") }
  end

  desc "Columns whose statistics nobody has raised"
  task statistics: :environment do
    conditions = ["c.relnamespace = 'public'::regnamespace", "a.attnum > 0", "NOT a.attisdropped"]
    conditions << "a.attstattarget = -1"
    columns = ActiveRecord::Base.connection.select_values(
      "SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE " +
      conditions.join(" AND ")
    )
    puts columns.sort
  end

  desc "Columns whose statistics somebody has raised"
  task raised: :environment do
    puts ActiveRecord::Base.connection.select_values(<<~SQL)
      SELECT a.attrelid::regclass || '.' || a.attname
        FROM pg_attribute a
       WHERE a.attstattarget > 0
    SQL
  end

  desc "How well the caches for transactions work"
  task caches: :environment do
    caches = ActiveRecord::Base.connection.select_rows(<<~SQL)
      SELECT name, blks_hit, blks_read
        FROM pg_stat_slru
       WHERE name = 'MultiXactMember'
    SQL
    caches.each { |name, hit, read| puts "#{name}: #{hit} hits, #{read} reads" }
  end

  desc "What the background writer does"
  task writer: :environment do
    puts ActiveRecord::Base.connection.select_value("SELECT buffers_clean FROM pg_stat_bgwriter")
  end
end
