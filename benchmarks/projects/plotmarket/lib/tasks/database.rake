namespace :database do
  desc "Tables and their kinds"
  task sizes: :environment do
    rows = ActiveRecord::Base.connection.select_rows(<<~SQL)
      SELECT c.relname,
             CASE WHEN c.relkind = 'p' THEN 'partitioned' ELSE c.relkind::text END AS kind,
             c.relpersistence = 'u' AS unlogged
        FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace
         AND c.relkind IN ('r', 'p')
       ORDER BY c.relname
    SQL
    rows.each { |row| puts row.join("\t") }
  end

  desc "The slowest statements"
  task slow: :environment do
    connection = ActiveRecord::Base.connection
    if connection.database_version >= 130_000
      rows = connection.select_rows("SELECT query, total_exec_time FROM pg_stat_statements ORDER BY 2 DESC LIMIT 10")
    else
      rows = connection.select_rows("SELECT query, total_time FROM pg_stat_statements ORDER BY 2 DESC LIMIT 10")
    end
    rows.each { |row| puts row.join("\t") }
  end

  desc "Collation and encoding, for the ticket to the hosting team"
  task locale: :environment do
    puts ActiveRecord::Base.connection.select_rows(<<~SQL).join(" ")
      SELECT datcollate, datctype, pg_encoding_to_char(encoding)
        FROM pg_database
       WHERE datname = current_database()
    SQL
  end

  desc "Who is connected with TLS"
  task tls: :environment do
    puts ActiveRecord::Base.connection.select_rows(<<~SQL).join("\n")
      SELECT a.usename, s.version, s.cipher
        FROM pg_stat_ssl s
        JOIN pg_stat_activity a USING (pid)
       WHERE a.backend_type = 'client backend'
         AND s.ssl
    SQL
  end

  desc "How a backup is taken by hand"
  task backup_help: :environment do
    puts "The hosting team calls pg_start_backup and pg_stop_backup; we only run bin/nightly_dump."
  end
end
