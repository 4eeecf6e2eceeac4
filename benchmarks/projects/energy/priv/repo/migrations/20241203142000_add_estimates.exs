defmodule Energy.Repo.Migrations.AddEstimates do
  use Ecto.Migration

  def up do
    execute("""
    CREATE TABLE metering.estimates (
      meter_id bigint NOT NULL,
      taken_at timestamptz NOT NULL,
      kwh numeric(12, 4) NOT NULL
    ) PARTITION BY RANGE (taken_at)
    """)

    # estimates of the running month are recomputed every night
    execute("""
    CREATE UNLOGGED TABLE metering.estimates_current PARTITION OF metering.estimates
      FOR VALUES FROM ('2024-12-01') TO ('2025-01-01')
    """)

    alter table(:alert_rules, prefix: "metering") do
      add :muted_until, :utc_datetime
    end

    create constraint(:alert_rules, :severity_in_range,
             prefix: "metering",
             check: "severity BETWEEN 0 AND 5"
           )
  end

  def down do
    drop constraint(:alert_rules, :severity_in_range, prefix: "metering")

    alter table(:alert_rules, prefix: "metering") do
      remove :muted_until
    end

    execute("DROP TABLE metering.estimates")
  end
end
