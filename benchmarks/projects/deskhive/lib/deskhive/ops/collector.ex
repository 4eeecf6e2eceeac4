defmodule Deskhive.Ops.Collector do
  @moduledoc """
  Sends figures of the database server to telemetry every 30 seconds.

  Up to 16 the checkpointer's counters are the columns checkpoints_timed and checkpoints_req
  of pg_stat_bgwriter.
  """
  use GenServer
  require Logger
  alias Deskhive.Repo

  def start_link(opts), do: GenServer.start_link(__MODULE__, opts, name: __MODULE__)

  @impl true
  def init(opts) do
    {:ok, opts, {:continue, :schedule}}
  end

  @impl true
  def handle_continue(:schedule, opts) do
    Process.send_after(self(), :collect, opts[:interval])
    {:noreply, opts}
  end

  @impl true
  def handle_info(:collect, opts) do
    for {name, value} <- Map.merge(checkpoints(), background_writer()) do
      :telemetry.execute([:deskhive, :postgres, String.to_atom(name)], %{value: value})
    end

    {:noreply, opts, {:continue, :schedule}}
  rescue
    error in Postgrex.Error ->
      Logger.warning("no figures of the server, pg_stat_wal.wal_sync included: #{inspect(error)}")
      {:noreply, opts, {:continue, :schedule}}
  end

  defp checkpoints do
    sql =
      if Repo.server_version() >= 170_000 do
        "SELECT num_timed AS timed, num_requested AS requested FROM pg_stat_checkpointer"
      else
        "SELECT checkpoints_timed AS timed, checkpoints_req AS requested FROM pg_stat_bgwriter"
      end

    sql |> Repo.rows_as_maps() |> hd()
  end

  defp background_writer do
    "SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter"
    |> Repo.rows_as_maps()
    |> hd()
  end
end
