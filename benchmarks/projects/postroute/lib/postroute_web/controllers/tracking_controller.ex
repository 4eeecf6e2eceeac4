defmodule PostrouteWeb.TrackingController do
  use PostrouteWeb, :controller
  alias Postroute.{Parcels, Repo}

  def show(conn, %{"label" => label}) do
    case Repo.query!("SELECT id, state::text FROM parcels WHERE label = $1", [label]) do
      %{rows: [[id, state]]} ->
        json(conn, %{label: label, state: state, events: Parcels.history(id).rows})

      _ ->
        conn |> put_status(:not_found) |> json(%{error: "unknown label"})
    end
  end

  def legs(conn, %{"window" => window}) do
    %{rows: rows} =
      Repo.query!("SELECT id, from_hub, to_hub FROM legs WHERE transit_window <= $1::interval", [window])

    json(conn, rows)
  end
end
