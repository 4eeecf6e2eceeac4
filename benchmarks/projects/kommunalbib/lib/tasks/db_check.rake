namespace :db do
  desc "Checks that the database sorts as the catalogue expects it"
  task check_locale: :environment do
    conn = ActiveRecord::Base.connection
    locale = conn.select_value("SHOW lc_collate")
    abort "wrong locale: #{locale}" unless locale.start_with?("de_DE")

    puts conn.select_value("SHOW lc_messages")
    puts conn.select_value("SELECT datcollate FROM pg_database WHERE datname = current_database()")
    puts conn.select_values("SELECT DISTINCT lc_collate FROM sort_profiles")
  end

  desc "Tables without a primary key"
  task check_keys: :environment do
    puts ActiveRecord::Base.connection.select_values(<<~SQL)
      SELECT c.relname::text
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public'
         AND c.relkind = 'r'
         AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
    SQL
  end
end
