defmodule Deskhive.Ops.SlowQueries do
  @moduledoc """
  The page "Slow queries" of the operations dashboard.
  """

  alias Deskhive.Repo

  @by_time """
  SELECT queryid, left(query, 200) AS query, calls,
         round(total_exec_time::numeric, 1) AS total_ms,
         round(mean_exec_time::numeric, 2) AS mean_ms,
         rows
    FROM pg_stat_statements
   WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
   ORDER BY total_exec_time DESC
   LIMIT $1
  """

  @by_io """
  SELECT queryid, left(query, 200) AS query,
         shared_blks_read, shared_blks_hit,
         round(blk_read_time::numeric, 1) AS read_ms
    FROM pg_stat_statements
   WHERE calls > 10
   ORDER BY 5 DESC
   LIMIT $1
  """

  def by_time(limit \\ 25), do: Repo.rows_as_maps(@by_time, [limit])
  def by_io(limit \\ 25), do: Repo.rows_as_maps(@by_io, [limit])

  def large_tables do
    Repo.rows_as_maps("""
    SELECT c.relname,
           CASE WHEN c.relkind = 'p' THEN 'partitioned' ELSE 'plain' END AS kind,
           pg_total_relation_size(c.oid) AS bytes,
           s.n_dead_tup
      FROM pg_class c
      LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
     ORDER BY 3 DESC
    """)
  end

  @doc "Columns with a statistics target of their own."
  def statistics_targets do
    Repo.rows_as_maps("""
    SELECT attrelid::regclass::text AS relation, attname, coalesce(attstattarget, -1) AS target
      FROM pg_attribute
     WHERE attnum > 0
       AND NOT attisdropped
       AND coalesce(attstattarget, -1) > 0
    """)
  end
end
