defmodule Deskhive.Application do
  @moduledoc false
  use Application

  @impl true
  def start(_type, _args) do
    children = [
      Deskhive.Repo,
      {Phoenix.PubSub, name: Deskhive.PubSub},
      {Deskhive.Ops.Collector, interval: :timer.seconds(30)},
      DeskhiveWeb.Endpoint
    ]

    Supervisor.start_link(children, strategy: :one_for_one, name: Deskhive.Supervisor)
  end
end
