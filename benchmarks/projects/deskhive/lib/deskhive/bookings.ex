defmodule Deskhive.Bookings do
  @moduledoc "Bookings of desks and meeting rooms."

  import Ecto.Query
  alias Deskhive.Bookings.Booking
  alias Deskhive.Repo

  def create(attrs) do
    %Booking{} |> Booking.changeset(attrs) |> Repo.insert()
  end

  def list_for_user(user_id) do
    from(b in Booking,
      where: b.user_id == ^user_id and b.status != :cancelled,
      order_by: [desc: fragment("lower(?)", b.during)]
    )
    |> Repo.all()
  end

  @doc "The agenda of a location for the reception's screen, with who made each booking."
  def agenda(location_id, day) do
    Repo.rows_as_maps(
      """
      SELECT b.id,
             s.label,
             b.status,
             lower(b.during) AS starts_at,
             upper(b.during) AS ends_at,
             member.full_name AS member,
             coalesce((SELECT system_user.full_name FROM users system_user WHERE system_user.id = b.created_by_id), 'import') AS created_by
        FROM bookings b
        JOIN spaces s ON s.id = b.space_id
        JOIN users member ON member.id = b.user_id
       WHERE s.location_id = $1
         AND b.during && tstzrange($2::date, $2::date + 1)
         AND b.status <> 'cancelled'
       ORDER BY lower(b.during), s.label
      """,
      [location_id, day]
    )
  end

  @doc "Spaces of a location with the union of their own features and the amenities of the house."
  def search_spaces(location_id, seats) do
    Repo.rows_as_maps(
      """
      SELECT s.id, s.label, s.seats, s.hourly_rate,
             array_sort(s.features || l.amenities) AS features
        FROM spaces s
        JOIN locations l ON l.id = s.location_id
       WHERE s.location_id = $1 AND s.seats >= $2
       ORDER BY s.seats, s.label
      """,
      [location_id, seats]
    )
  end

  def peak_hours(location_id) do
    from(b in "bookings",
      join: s in "spaces",
      on: s.id == b.space_id,
      where: s.location_id == ^location_id,
      group_by: fragment("extract(hour FROM lower(?))", b.during),
      select: %{
        hour: type(fragment("extract(hour FROM lower(?))", b.during), :integer),
        bookings: count(b.id)
      }
    )
    |> Repo.all()
  end

  def release_stale_holds do
    Repo.query!("""
    UPDATE bookings
       SET status = 'cancelled', updated_at = now()
     WHERE status = 'held'
       AND inserted_at < now() - interval '1.5 hours'
    """).num_rows
  end

  @doc "The floor plan as a tree: each area with its parent's name, the top ones first."
  def floor_plan(location_id) do
    Repo.rows_as_maps(
      """
      SELECT a.id, a.name, a.parent, a.level
        FROM areas a
       WHERE a.location_id = $1
         AND (a.level = 0 OR a.parent IS NOT NULL)
       ORDER BY a.level, a.name
      """,
      [location_id]
    )
  end
end
