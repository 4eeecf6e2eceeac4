defmodule EnergyWeb.MeterController do
  use EnergyWeb, :controller

  alias Energy.{Calibration, Network, Readings}

  action_fallback EnergyWeb.FallbackController

  def index(conn, %{"area" => area}) do
    render(conn, :index, meters: Network.meters_in(area))
  end

  def usage(conn, %{"id" => id, "from" => from, "to" => to}) do
    with {:ok, from, _} <- DateTime.from_iso8601(from),
         {:ok, to, _} <- DateTime.from_iso8601(to) do
      %{rows: rows} = Readings.plausible(String.to_integer(id), from, to)
      json(conn, %{data: Enum.map(rows, fn [_, at, kwh] -> %{at: at, kwh: kwh} end)})
    end
  end

  def due(conn, %{"site_id" => site_id, "class" => class}) do
    class = String.to_existing_atom(class)
    %{rows: rows} = Calibration.due(class, String.to_integer(site_id))
    json(conn, %{data: rows})
  end
end
