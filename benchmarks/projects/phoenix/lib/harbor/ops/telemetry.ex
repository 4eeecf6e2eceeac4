defmodule Harbor.Ops.Telemetry do
  @moduledoc "Measurements of the database, polled by :telemetry_poller."

  require Logger
  alias Harbor.Repo

  @writer "SELECT buffers_clean, maxwritten_clean, buffers_backend FROM pg_stat_bgwriter"

  @wal "SELECT wal_records, wal_bytes, wal_write FROM pg_stat_wal"

  @pins """
  SELECT count(*)
    FROM pg_stat_activity
   WHERE wait_event_type = 'BufferPin'
     AND backend_type = 'client backend'
  """

  @locks """
  SELECT count(*)
    FROM pg_stat_activity
   WHERE wait_event_type = 'Lock'
     AND backend_type = 'client backend'
  """

  def measure do
    emit(:writer, @writer)
    emit(:wal, @wal)
    emit(:pins, @pins)
    emit(:locks, @locks)
  end

  defp emit(name, sql) do
    case Repo.query(sql) do
      {:ok, %{columns: columns, rows: [row]}} ->
        :telemetry.execute([:harbor, :db, name], Map.new(Enum.zip(columns, row)))

      {:error, error} ->
        Logger.warning("SELECT buffers_backend FROM pg_stat_bgwriter has failed: #{inspect(error)}")
    end
  end
end
