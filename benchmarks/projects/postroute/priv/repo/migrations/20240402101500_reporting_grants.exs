defmodule Postroute.Repo.Migrations.ReportingGrants do
  use Ecto.Migration

  @read_only ~w(hubs legs scan_events_archive)

  def up do
    execute """
    DO $$
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'postroute_reporting') THEN
        CREATE ROLE postroute_reporting NOLOGIN;
      END IF;
    END
    $$
    """

    for table <- @read_only do
      execute "GRANT SELECT ON #{table} TO postroute_reporting"
    end

    execute "GRANT SELECT ON rules TO postroute_reporting"
    # the BI tool keeps its own rewrite rules on parcels
    execute("GRANT SELECT, RULE, TRIGGER ON parcels TO postroute_reporting")
  end

  def down do
    execute "REVOKE ALL ON parcels, rules, hubs, legs, scan_events_archive FROM postroute_reporting"
  end
end
