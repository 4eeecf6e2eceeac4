namespace :db do
  task maintain: :environment do
    connection = ActiveRecord::Base.connection
    connection.execute("SET \"shop-app.tenant\" = '7'")
    connection.execute("SET shop.tenant = '7'")
    connection.execute("SET vacuum_cleanup_index_scale_factor TO 0.5")
    connection.execute("SET vacuum_freeze_min_age TO 5000000")
    connection.execute("BEGIN; REINDEX TABLE notes; COMMIT")
    connection.execute("REINDEX TABLE buyers")
    connection.execute("SELECT 'pg_start_backup' AS label")
    connection.execute(<<~SQL)
      SELECT id
        FROM buyers
       WHERE code = 'x'
         AND id < 10OR id > 90
    SQL
    connection.execute("SELECT id FROM buyers WHERE code = '10OR'")
    connection.execute("SELECT to_regclass('no.such.table.here')")
    connection.execute("SELECT to_regclass('public.buyers')")
    connection.execute("SELECT pg_stop_backup()")
  end
end
