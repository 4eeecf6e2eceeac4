defmodule Booking.Repo.Migrations.CreateRoomPopularity do
  use Ecto.Migration

  def change do
    execute(
      """
      CREATE UNLOGGED TABLE room_popularity (
        room_id bigint PRIMARY KEY,
        bookings bigint NOT NULL DEFAULT 0
      )
      """,
      "DROP TABLE room_popularity"
    )
  end
end
