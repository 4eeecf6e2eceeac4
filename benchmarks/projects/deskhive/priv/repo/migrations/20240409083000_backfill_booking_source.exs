defmodule Deskhive.Repo.Migrations.BackfillBookingSource do
  use Ecto.Migration

  def up do
    # 'system_user' was the actor of all imports before the API keys.
    execute("""
    UPDATE bookings
       SET source = 'system_user'
     WHERE created_by_id IS NULL
       AND source = 'web'
    """)

    execute("ALTER TABLE bookings ADD CONSTRAINT bookings_source_known CHECK (source IN ('web', 'app', 'kiosk', 'system_user'))")
  end

  def down do
    execute("ALTER TABLE bookings DROP CONSTRAINT bookings_source_known")
  end
end
