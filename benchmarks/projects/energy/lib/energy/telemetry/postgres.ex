defmodule Energy.Telemetry.Postgres do
  @moduledoc "Polled every 30 s; feeds the dashboard of the operators."

  alias Energy.Repo

  @vacuum """
  SELECT p.relid::regclass::text AS relation, p.phase,
         p.heap_blks_scanned, p.heap_blks_total,
         p.num_dead_tuples
    FROM pg_stat_progress_vacuum p
  """

  @dead """
  SELECT relname, n_live_tup, n_dead_tup AS num_dead_tuples
    FROM pg_stat_user_tables
   WHERE schemaname = 'metering'
   ORDER BY n_dead_tup DESC
  """

  def vacuum, do: Repo.query!(@vacuum)
  def dead, do: Repo.query!(@dead)

  def waiting do
    Repo.query!(
      "SELECT count(*) FROM pg_stat_activity " <>
        "WHERE state = 'active' AND wait_event_type = 'BufferPin'"
    )
  end

  def locked do
    Repo.query!("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
  end

  def subtransactions do
    %{rows: [[hit, read]]} =
      Repo.query!("SELECT blks_hit, blks_read FROM pg_stat_slru WHERE name = 'Subtrans'")

    %{hit: hit, read: read}
  end

  def slru_total do
    Repo.query!("SELECT sum(blks_hit), sum(blks_read) FROM pg_stat_slru")
  end

  def samples(node) do
    Repo.query!(
      "SELECT taken_at, checkpoints_timed FROM metering.db_samples WHERE node = $1",
      [node]
    )
  end

  def backup_running? do
    # pg_is_in_backup() never told about the non-exclusive ones
    %{rows: [[n]]} =
      Repo.query!("SELECT count(*) FROM pg_stat_progress_basebackup")

    n > 0
  end

  def begin_backup(label) do
    if Repo.server_version_num() >= 150_000 do
      Repo.query!("SELECT pg_backup_start($1, true)", [label])
    else
      Repo.query!("SELECT pg_start_backup($1, true, false)", [label])
    end
  end
end
