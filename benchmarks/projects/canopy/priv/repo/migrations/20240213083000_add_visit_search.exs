defmodule Canopy.Repo.Migrations.AddVisitSearch do
  use Ecto.Migration

  def change do
    execute "CREATE INDEX visits_notes_simple ON public.visits USING gin (to_tsvector('simple', notes))",
            "DROP INDEX public.visits_notes_simple"

    create index(:visits, [:state], where: "state = 'planned'")
  end
end
