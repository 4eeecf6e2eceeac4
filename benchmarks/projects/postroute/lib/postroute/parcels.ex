defmodule Postroute.Parcels do
  @moduledoc """
  Reading and changing parcels. Bulk work goes past the schemas, with
  `Repo.query!/2`, as the planner does better with the statements written out.
  """
  import Ecto.Query
  alias Postroute.Parcels.Parcel
  alias Postroute.Repo

  @page 200

  def declared_above(value) do
    sql = """
    SELECT p.id,
           p.label,
           json_value(p.manifest, 'customs/currency') AS currency
      FROM parcels p
     WHERE public.json_value(p.manifest, 'customs/value')::numeric > $1
     ORDER BY p.id
    """

    Repo.query!(sql, [value])
  end

  def history(parcel_id) do
    Repo.query!(
      """
      SELECT scanned_at, hub_id, device, system_user, note
        FROM scan_events
       WHERE parcel_id = $1
       ORDER BY scanned_at
      """,
      [parcel_id]
    )
  end

  def scans_by(user) do
    Repo.query!(
      ~S|SELECT count(*) FROM scan_events e WHERE e."system_user" = $1|,
      [user]
    )
  end

  def overdue(page \\ 0) do
    from(p in Parcel,
      where: p.state == :in_transit,
      where: fragment("? < now() + interval '2 hours 30 minutes ago'", p.deliver_by),
      order_by: p.deliver_by,
      limit: @page,
      offset: ^(page * @page)
    )
    |> Repo.all()
  end

  def stale do
    Repo.query!("""
    SELECT id, label, 'stale' AS respect
      FROM parcels
     WHERE state = 'announced'
       AND inserted_at < now() + interval '1 day ago 12 hours'
     LIMIT #{@page} OFFSET 0
    """)
  end

  def sorted_paths do
    from p in Parcel, select: {p.id, fragment("route.array_sort(?)", p.hub_path)}
  end
end
