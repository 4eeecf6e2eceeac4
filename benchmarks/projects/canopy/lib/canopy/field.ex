defmodule Canopy.Field do
  @moduledoc "Crews and their visits."

  alias Canopy.Repo

  @doc "The first planned visits of a crew, read in one go while the terminal is online."
  def queue(crew_id) do
    Repo.transaction(fn ->
      Repo.query!("SELECT open_visit_queue($1)", [crew_id])
      Repo.query!("FETCH 50 FROM visit_queue").rows
    end)
  end

  def page(crew_id) do
    Repo.transaction(fn ->
      Repo.query!("SELECT open_visit_page($1)", [crew_id])
      Repo.query!("FETCH 20 FROM visit_page").rows
    end)
  end

  def crew_tree do
    Repo.query!("""
    SELECT c.id, c.name, c.parent
      FROM crews c
     WHERE c.level = 0 OR c.parent IS NOT NULL
     ORDER BY c.level, c.name
    """)
  end

  def where_supports_were_added do
    Repo.query!("""
    SELECT v.id, v.tree_id
      FROM visits v
     WHERE to_tsvector('english', v.notes) @@ plainto_tsquery('english', 'add support')
     ORDER BY v.id
    """)
  end

  def mentioning(words) do
    Repo.query!(
      """
      SELECT v.id
        FROM visits v
       WHERE to_tsvector('simple', v.notes) @@ plainto_tsquery('simple', $1)
       ORDER BY v.id
      """,
      [words]
    )
  end

  def overdue(day) do
    Repo.query!(
      """
      SELECT v.id, v.due_on
        FROM visits v
       WHERE v.state = 'planned'
         AND v.due_on < $1::date + interval '2 days 12 hours ago'
       ORDER BY v.due_on
      """,
      [day]
    )
  end

  def done_since_start do
    Repo.query!("SELECT count(*) FROM visits WHERE done_at > 'epoch'::timestamptz AND done_at < '2024-01-01 00:00 UTC'")
  end
end
