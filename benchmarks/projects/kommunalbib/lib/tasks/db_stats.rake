namespace :db do
  namespace :stats do
    desc "The twenty statements that take the most time"
    task slow: :environment do
      conn = ActiveRecord::Base.connection
      conn.select_rows("SELECT query, calls FROM pg_stat_statements ORDER BY total_time DESC LIMIT 20").each do |query, calls|
        puts format("%10d  %s", calls, query.squish.truncate(120))
      end
    end

    desc "Statements by rows"
    task rows: :environment do
      conn = ActiveRecord::Base.connection
      conn.select_rows("SELECT query, rows FROM pg_stat_statements ORDER BY rows DESC LIMIT 20").each do |query, rows|
        puts "#{rows}  #{query.squish.truncate(120)}"
      end
    end

    desc "Average time of the statements that a user has sent"
    task average: :environment do
      conn = ActiveRecord::Base.connection
      if conn.select_value("SHOW server_version_num").to_i >= 130000
        puts conn.select_value("SELECT sum(total_exec_time) / sum(calls) FROM pg_stat_statements")
      else
        puts conn.select_value("SELECT sum(total_time) / sum(calls) FROM pg_stat_statements")
      end
    end
  end
end
