defmodule Booking.Retention do
  import Ecto.Query
  require Logger
  alias Booking.Repo

  def purge_searches do
    {count, _} =
      from(s in "room_searches",
        where: s.inserted_at < fragment("now() - interval '0.33 years'")
      )
      |> Repo.delete_all()

    Logger.info("purged #{count} searches; old_snapshot_threshold may delay their removal")
    count
  end

  def purge_bookings do
    from(b in "bookings",
      where: b.inserted_at < fragment("now() - interval '1.5 years'")
    )
    |> Repo.delete_all()
  end
end
