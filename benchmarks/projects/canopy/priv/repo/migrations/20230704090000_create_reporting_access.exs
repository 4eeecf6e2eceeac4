defmodule Canopy.Repo.Migrations.CreateReportingAccess do
  use Ecto.Migration

  def up do
    execute "GRANT SELECT ON public.trees, public.species, public.visits TO canopy_reports"
    execute "GRANT REFERENCES, TRIGGER ON public.species TO canopy_reports"
    execute "ALTER ROLE canopy_reports SET max_parallel_workers_per_gather = 4"

    execute """
    ALTER ROLE canopy_reports
      SET force_parallel_mode = on
    """
  end

  def down do
    execute "ALTER ROLE canopy_reports RESET ALL"
    execute "REVOKE ALL ON public.trees, public.species, public.visits FROM canopy_reports"
  end
end
