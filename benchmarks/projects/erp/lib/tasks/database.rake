# frozen_string_literal: true

namespace :kontor do
  namespace :db do
    def pg
      ActiveRecord::Base.connection
    end

    desc "Label the running backup; the snapshot of the volume follows"
    task freeze: :environment do
      label = "kontor-#{Date.current.iso8601}"
      if pg.select_value("SHOW server_version_num").to_i >= 150_000
        pg.execute("SELECT pg_backup_start(#{pg.quote(label)}, true)")
      else
        pg.execute("SELECT pg_start_backup(#{pg.quote(label)}, true, false)")
      end
    end

    # Until 2020 this task called pg_is_in_backup() and refused to run.
    desc "Grants of the reporting role, which the BI tool uses"
    task grants: :environment do
      pg.execute <<~SQL
        DO $$
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kontor_bi') THEN
            CREATE ROLE kontor_bi NOLOGIN;
          END IF;
        END
        $$;
      SQL
      pg.execute "GRANT SELECT ON pricing_rule TO kontor_bi"
      %w[products suppliers purchase_orders].each do |table|
        pg.execute "GRANT SELECT, REFERENCES ON #{table} TO kontor_bi"
      end
    end

    desc "Vacuum what the night's jobs have changed"
    task vacuum: :environment do
      pg.execute("VACUUM (ANALYZE) outbox_messages, import_lines")
      pg.execute("REINDEX TABLE outbox_messages")
    end
  end
end
