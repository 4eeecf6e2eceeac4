defmodule Booking.Reports do
  import Ecto.Query
  alias Booking.Repo

  def by_hour do
    from(b in "bookings",
      group_by: fragment("extract(hour from inserted_at)"),
      select: {fragment("extract(hour from inserted_at)"), count(b.id)}
    )
    |> Repo.all()
  end

  def by_kind do
    Ecto.Adapters.SQL.query!(
      Repo,
      """
      SELECT b.kind = 'system' AS system_user, count(*)
      FROM bookings b
      GROUP BY 1
      """,
      []
    ).rows
  end

  def gravatars(room_id) do
    from(b in "bookings",
      where: b.room_id == ^room_id,
      select: fragment("md5(lower(email))")
    )
    |> Repo.all()
  end

  def notices do
    Ecto.Adapters.SQL.query!(Repo, "SELECT id, notice::text FROM bookings ORDER BY id", []).rows
  end

  def suggestion do
    from(r in "rooms", order_by: fragment("random()"), limit: 1, select: r.name)
    |> Repo.one()
  end
end
