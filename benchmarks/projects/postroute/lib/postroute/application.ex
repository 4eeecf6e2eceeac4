defmodule Postroute.Application do
  @moduledoc false
  use Application

  @impl true
  def start(_type, _args) do
    children = [
      Postroute.Repo,
      {Phoenix.PubSub, name: Postroute.PubSub},
      {:telemetry_poller,
       measurements: [
         {Postroute.Telemetry.DbProbe, :wal, []},
         {Postroute.Telemetry.DbProbe, :waits, []},
         {Postroute.Telemetry.DbProbe, :checkpoints, []}
       ],
       period: :timer.seconds(30)},
      PostrouteWeb.Endpoint
    ]

    Supervisor.start_link(children, strategy: :one_for_one, name: Postroute.Supervisor)
  end
end
