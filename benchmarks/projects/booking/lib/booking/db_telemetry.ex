defmodule Booking.DbTelemetry do
  alias Booking.Repo

  @checkpoints """
  SELECT checkpoints_timed + checkpoints_req
  FROM pg_stat_bgwriter
  """

  @wal "SELECT wal_records, wal_bytes FROM pg_stat_wal"

  @wal_flushes """
  SELECT wal_sync
  FROM pg_stat_wal
  """

  @waiting """
  SELECT count(*)
  FROM pg_stat_activity
  WHERE wait_event_type IN ('Lock', 'BufferPin')
    AND datname = current_database()
  """

  @idle "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Client'"

  def measurements do
    %{
      checkpoints: Repo.one_value(@checkpoints),
      cleaned: Repo.one_value("SELECT buffers_clean FROM pg_stat_bgwriter"),
      wal: Repo.one_value(@wal),
      wal_flushes: Repo.one_value(@wal_flushes),
      waiting: Repo.one_value(@waiting),
      idle: Repo.one_value(@idle)
    }
  end

  def vacuums do
    Ecto.Adapters.SQL.query!(
      Repo,
      "SELECT relid::regclass::text, phase, heap_blks_total, " <>
        "num_dead_tuples " <>
        "FROM pg_stat_progress_vacuum",
      []
    ).rows
  end

  def vacuum_phases do
    Ecto.Adapters.SQL.query!(Repo, "SELECT phase, heap_blks_scanned FROM pg_stat_progress_vacuum", []).rows
  end
end
