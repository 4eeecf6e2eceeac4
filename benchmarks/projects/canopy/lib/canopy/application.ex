defmodule Canopy.Application do
  @moduledoc false
  use Application

  @impl true
  def start(_type, _args) do
    children = [
      Canopy.Repo,
      {Phoenix.PubSub, name: Canopy.PubSub},
      {:telemetry_poller, measurements: [{Canopy.Ops.Metrics, :dispatch, []}], period: 30_000},
      CanopyWeb.Endpoint
    ]

    Supervisor.start_link(children, strategy: :one_for_one, name: Canopy.Supervisor)
  end
end
