defmodule Canopy.Ops.Health do
  @moduledoc "Checks of the page /health, and of the deployment."

  alias Canopy.Repo

  def locale do
    %{rows: [row]} =
      Repo.query!("""
      SELECT current_setting('server_encoding'),
             current_setting('lc_collate')
      """)

    row
  end

  def collation do
    %{rows: [[name]]} = Repo.query!("SELECT datcollate::text FROM pg_database WHERE datname = current_database()")
    name
  end

  def messages do
    %{rows: [[name]]} = Repo.query!("SELECT current_setting('lc_messages')")
    name
  end

  def loaded? do
    %{rows: [[loaded]]} = Repo.query!("SELECT to_regclass('public.street_totals') IS NOT NULL")
    loaded
  end

  def checks_of(table) do
    Repo.query!(
      """
      SELECT conname::text, pg_get_constraintdef(oid)
        FROM pg_constraint
       WHERE conrelid = $1::text::regclass
         AND contype = 'c'
       ORDER BY 1
      """,
      [table]
    )
  end

  def foreign_keys do
    Repo.query!("""
    SELECT count(*)
      FROM information_schema.table_constraints
     WHERE table_schema = 'public'
       AND constraint_type = 'FOREIGN KEY'
    """)
  end

  def dead_rows, do: Repo.query!("SELECT dead_rows('public.trees') >= 0")

  def backlog, do: Repo.query!("SELECT relation, phase, dead FROM vacuum_backlog()")
end
