defmodule Energy.Network do
  @moduledoc "Where meters and gateways are."
  import Ecto.Query

  alias Energy.Repo
  alias Energy.Network.{Gateway, Meter, Site}

  @serial_pattern "^[A-Z]{3}[0-9]{8}$"

  def meters_in(area) do
    Meter
    |> where([m], fragment("location @ ?::polygon", ^area))
    |> where([m], m.state == 1)
    |> Repo.all()
  end

  def sites_around(lon, lat) do
    Repo.query!(
      "SELECT id, code FROM metering.sites WHERE outline @> point($1::float8, $2::float8)",
      [lon, lat]
    )
  end

  def odd_serials do
    Meter
    |> where([m], not fragment("serial ~ ?", ^@serial_pattern))
    |> select([m], m.serial)
    |> Repo.all()
  end

  def site_contacts do
    Repo.query!("""
    SELECT s.code, s."system_user", count(*)
      FROM metering.sites s JOIN metering.meters m ON m.site_id = s.id
     GROUP BY s.code, s."system_user"
    """)
  end

  def firmware(meter_id) do
    Repo.query!(
      "SELECT metering.json_value(attributes, 'firmware') FROM metering.meters WHERE id = $1",
      [meter_id]
    )
  end

  def wiring_orders(n) when n in 1..12 do
    Repo.query!("SELECT factorial($1)", [n])
  end

  def leased(%Gateway{id: id}), do: Repo.get!(Gateway, id)
  def site!(id), do: Repo.get!(Site, id)
end
