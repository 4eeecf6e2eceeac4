defmodule Booking.Repo.Migrations.BackfillRoomFloors do
  use Ecto.Migration

  def up do
    execute("""
    UPDATE rooms
       SET floor = substring(name from '^[0-9]')::integer
     WHERE floor IS NULL
    """)
  end

  def down, do: :ok
end
