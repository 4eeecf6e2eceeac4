namespace :db do
  desc "Privileges for the roles that don't belong to the application"
  task grants: :environment do
    connection = ActiveRecord::Base.connection

    connection.execute(<<~SQL)
      DO $$
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'boxtrail_report') THEN
          CREATE ROLE boxtrail_report;
        END IF;
      END
      $$
    SQL

    connection.execute("GRANT SELECT, REFERENCES, TRIGGER ON rate_plans TO boxtrail_report")

    connection.execute(<<~SQL)
      GRANT SELECT,
            RULE
         ON invoices, invoice_lines
         TO boxtrail_report
    SQL

    connection.execute("ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO boxtrail_report")
  end
end
