defmodule Harbor.Ops.Diagnostics do
  @moduledoc "Queries for the page /admin/database."

  alias Harbor.Repo

  @slowest """
  SELECT s.queryid, s.calls,
         s.total_exec_time,
         s.blk_read_time,
         left(s.query, 200) AS query
    FROM pg_stat_statements s
   ORDER BY s.total_exec_time DESC
   LIMIT 20
  """

  @vacuums """
  SELECT p.pid, p.relid::regclass::text AS relname, p.phase,
         p.heap_blks_scanned,
         p.num_dead_tuples
    FROM pg_stat_progress_vacuum p
  """

  @samples """
  SELECT v.relname,
         max(v.num_dead_tuples) AS dead,
         avg(v.blk_read_time) AS read_ms
    FROM vacuum_samples v
   WHERE v.taken_at > now() - interval '7 days'
   GROUP BY v.relname
  """

  def slowest, do: rows(@slowest)
  def vacuums, do: rows(@vacuums)
  def samples, do: rows(@samples)

  def duplicate_emails do
    rows("""
    SELECT md5(lower(email)) AS hash, count(*) AS password_count
      FROM accounts
     GROUP BY 1
    HAVING count(*) > 1
    """)
  end

  defp rows(sql) do
    %{columns: columns, rows: rows} = Repo.query!(sql)
    Enum.map(rows, &Map.new(Enum.zip(columns, &1)))
  end
end
