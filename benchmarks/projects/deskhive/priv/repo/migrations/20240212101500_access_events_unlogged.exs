defmodule Deskhive.Repo.Migrations.AccessEventsUnlogged do
  use Ecto.Migration

  # Door events can be fetched again from the controllers for 90 days, so that we don't need
  # their WAL. The staging table of the Nexus import is loaded from scratch each night anyway.
  def up do
    execute("ALTER TABLE access_events SET UNLOGGED")
    execute("ALTER TABLE nexus_staging SET UNLOGGED")

    for year <- [2023, 2024] do
      execute("ALTER TABLE access_events_#{year} SET (autovacuum_vacuum_scale_factor = 0.02)")
    end
  end

  def down do
    execute("ALTER TABLE nexus_staging SET LOGGED")
  end
end
