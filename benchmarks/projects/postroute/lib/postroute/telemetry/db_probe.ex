defmodule Postroute.Telemetry.DbProbe do
  @moduledoc "Numbers of the database server for the dashboard of the depots."
  alias Postroute.Repo

  def wal do
    %{rows: [[records, bytes]]} =
      Repo.query!("SELECT wal_records, wal_bytes FROM pg_stat_wal")

    %{rows: [[sync]]} =
      Repo.query!("SELECT sum(wal_sync_time) FROM pg_stat_wal")

    :telemetry.execute([:postroute, :db, :wal], %{records: records, bytes: bytes, sync: sync}, %{})
  end

  def waits do
    pinned = count_waits("wait_event_type = 'BufferPin'")
    locked = count_waits("wait_event_type IN ('Lock', 'LWLock')")
    :telemetry.execute([:postroute, :db, :waits], %{pinned: pinned, locked: locked}, %{})
  end

  defp count_waits(condition) do
    %{rows: [[n]]} = Repo.query!("SELECT count(*) FROM pg_stat_activity WHERE " <> condition)
    n
  end

  def checkpoints do
    sql =
      if Repo.server_version_num() >= 170_000 do
        "SELECT num_timed, num_requested FROM pg_stat_checkpointer"
      else
        "SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter"
      end

    %{rows: [[timed, requested]]} = Repo.query!(sql)
    :telemetry.execute([:postroute, :db, :checkpoints], %{timed: timed, requested: requested}, %{})
  end

  def allocations do
    Repo.query!("SELECT buffers_alloc, maxwritten_clean FROM pg_stat_bgwriter")
  end

  def slru_total do
    Repo.query!("SELECT sum(blks_read) FROM pg_stat_slru WHERE name <> 'other'")
  end
end
