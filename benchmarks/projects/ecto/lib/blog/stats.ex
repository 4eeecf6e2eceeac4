defmodule Blog.Stats do
  alias Blog.Repo

  def wal, do: Repo.query!("SELECT buffers_backend, buffers_alloc FROM pg_stat_bgwriter")
  def slots, do: Repo.query!("SELECT slot_name, restart_lsn FROM pg_replication_slots")
  def names, do: Repo.query!("SELECT conname FROM posts")
  def keys, do: Repo.query!("SELECT count(*) FROM pg_constraint WHERE conrelid = 'posts'::regclass AND contype = 'p'")
  def constraints, do: Repo.query!("SELECT count(*) FROM pg_constraint WHERE conrelid = 'posts'::regclass")
  def compressed, do: Repo.query!("SELECT compression FROM pg_stat_ssl")
  def bits, do: Repo.query!("SELECT bits FROM pg_stat_ssl")
  def last, do: Repo.query!("SELECT datname, datlastsysoid FROM pg_database")
  def allowed, do: Repo.query!("SELECT datname, datallowconn FROM pg_database")
  def backups, do: Repo.query!("SELECT pg_backup_start_time()")
  def started, do: Repo.query!("SELECT pg_postmaster_start_time()")
  def waits, do: Repo.query!("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'BufferPin'")

  def plan(id), do: Repo.query!("EXPLAIN (ANALYZE, FORMAT JSON) SELECT title FROM posts WHERE id = $1", [id])
end
