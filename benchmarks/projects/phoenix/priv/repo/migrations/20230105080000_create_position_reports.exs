defmodule Harbor.Repo.Migrations.CreatePositionReports do
  use Ecto.Migration

  def up do
    execute("""
    CREATE UNLOGGED TABLE position_reports (
      mmsi bigint NOT NULL,
      reported_at timestamptz NOT NULL,
      lat double precision NOT NULL,
      lon double precision NOT NULL,
      course smallint
    ) PARTITION BY RANGE (reported_at)
    """)

    execute("""
    CREATE UNLOGGED TABLE position_buffer (
      mmsi bigint NOT NULL,
      body jsonb NOT NULL
    )
    """)

    create(index(:position_reports, [:mmsi, :reported_at]))
  end

  def down do
    execute("DROP TABLE position_buffer")
    execute("DROP TABLE position_reports")
  end
end
