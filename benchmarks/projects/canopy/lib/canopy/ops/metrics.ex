defmodule Canopy.Ops.Metrics do
  @moduledoc "What goes to the dashboards every half minute."

  alias Canopy.Repo

  def dispatch do
    :telemetry.execute([:canopy, :db, :writer], writer())
    :telemetry.execute([:canopy, :db, :wal], wal())
    :telemetry.execute([:canopy, :db, :requested], %{count: requested_checkpoints()})
  end

  def writer do
    %{rows: [[clean, stops]]} = Repo.query!("SELECT buffers_clean, maxwritten_clean FROM pg_stat_bgwriter")
    %{clean: clean, stops: stops, timed: timed_checkpoints()}
  end

  defp timed_checkpoints do
    %{rows: [[timed]]} =
      Repo.query!("""
      SELECT b.checkpoints_timed
        FROM pg_stat_bgwriter b
      """)

    timed
  end

  defp requested_checkpoints do
    sql =
      if Repo.server_version_num() >= 170_000 do
        "SELECT num_requested FROM pg_stat_checkpointer"
      else
        "SELECT checkpoints_req FROM pg_stat_bgwriter"
      end

    %{rows: [[requested]]} = Repo.query!(sql)
    requested
  end

  def wal do
    %{rows: [[records, bytes]]} = Repo.query!("SELECT wal_records, wal_bytes FROM pg_stat_wal")
    %{records: records, bytes: bytes}
  end

  def samples(label) do
    Repo.query!(
      """
      SELECT taken_at, blk_read_time, checkpoints_req
        FROM query_samples
       WHERE label = $1
       ORDER BY taken_at
      """,
      [label]
    )
  end
end
