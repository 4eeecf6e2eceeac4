defmodule Postroute.Repo.Migrations.CreateScanBuffer do
  use Ecto.Migration

  # Handhelds post in bursts; the buffer is drained into scan_events every
  # twenty seconds and may be lost in a crash.
  def up do
    execute """
    CREATE UNLOGGED TABLE scan_buffer (
      received_at timestamp NOT NULL DEFAULT now(),
      hub_id integer NOT NULL,
      payload jsonb NOT NULL
    ) PARTITION BY LIST (hub_id)
    """

    execute """
    CREATE UNLOGGED TABLE scan_buffer_rejects (
      received_at timestamp NOT NULL DEFAULT now(),
      payload jsonb NOT NULL,
      reason text
    )
    """
  end

  def down do
    execute "DROP TABLE scan_buffer"
    execute "DROP TABLE scan_buffer_rejects"
  end
end
