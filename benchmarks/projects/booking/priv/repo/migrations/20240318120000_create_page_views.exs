defmodule Booking.Repo.Migrations.CreatePageViews do
  use Ecto.Migration

  def up do
    execute("""
    CREATE UNLOGGED TABLE page_views (
      room_id bigint NOT NULL,
      seen_at timestamptz NOT NULL,
      visitor text
    ) PARTITION BY RANGE (seen_at)
    """)

    execute("""
    CREATE TABLE page_views_2024 PARTITION OF page_views
    FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')
    """)
  end

  def down do
    execute("DROP TABLE page_views")
  end
end
