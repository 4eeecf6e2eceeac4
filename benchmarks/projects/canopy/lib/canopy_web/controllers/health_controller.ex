defmodule CanopyWeb.HealthController do
  use CanopyWeb, :controller

  alias Canopy.Ops.Health

  def show(conn, _params) do
    if Health.loaded?() do
      json(conn, %{status: "ok", collation: Health.collation(), locale: Health.locale()})
    else
      conn |> put_status(503) |> json(%{status: "loading"})
    end
  end
end
