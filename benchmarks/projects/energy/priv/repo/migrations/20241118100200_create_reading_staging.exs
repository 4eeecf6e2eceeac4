defmodule Energy.Repo.Migrations.CreateReadingStaging do
  use Ecto.Migration

  # Raw frames of the head-ends. They can be fetched again after a crash, so they need no WAL.
  def up do
    execute("""
    CREATE UNLOGGED TABLE metering.reading_frames (
      head_end text NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now(),
      frame bytea NOT NULL
    ) PARTITION BY LIST (head_end)
    """)

    execute("""
    CREATE UNLOGGED TABLE metering.frame_errors (
      head_end text NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now(),
      reason text
    )
    """)
  end

  def down do
    execute("DROP TABLE metering.frame_errors")
    execute("DROP TABLE metering.reading_frames")
  end
end
