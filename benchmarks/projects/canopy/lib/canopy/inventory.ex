defmodule Canopy.Inventory do
  @moduledoc "Trees and species."
  import Ecto.Query

  alias Canopy.Inventory.Tree
  alias Canopy.Repo

  def hazards(tree_id) do
    from(t in Tree,
      where: t.id == ^tree_id,
      select: fragment("array_sort(hazard_tags)")
    )
    |> Repo.one()
  end

  def hazard_text(tree_id) do
    %{rows: rows} = Repo.query!("SELECT hazards FROM hazard_lists WHERE tree_id = $1", [tree_id])
    List.first(rows)
  end

  def common_hazards do
    Repo.query!("""
    SELECT array_agg(DISTINCT tag ORDER BY tag)
      FROM trees, unnest(hazard_tags) AS tag
    """)
  end

  def plantings_by_quarter(year) do
    Repo.query!(
      """
      SELECT extract(quarter FROM planted_on)::int AS quarter, count(*)
        FROM trees
       WHERE extract(year FROM planted_on) = $1
       GROUP BY 1
       ORDER BY 1
      """,
      [year]
    )
  end

  def heights do
    Repo.query!("""
    SELECT id, (details->>'height')::numeric AS height
      FROM trees
     ORDER BY id
    """)
  end

  def owner(tree_id) do
    Repo.query!("SELECT public.json_value(details, 'owner') FROM trees WHERE id = $1", [tree_id])
  end

  def on_street(street) do
    from(t in Tree, where: fragment("public.casefold(street) = ?", ^String.downcase(street)))
    |> Repo.all()
  end

  def refresh_totals do
    Repo.query!("REFRESH MATERIALIZED VIEW public.street_totals")
    Repo.query!("ANALYZE public.species")
  end

  def import_total(text) do
    Repo.query!("SELECT count(*), '7e2'::numeric FROM import_rows WHERE imported_as = 'system_user' AND raw LIKE $1", [text])
  end
end
