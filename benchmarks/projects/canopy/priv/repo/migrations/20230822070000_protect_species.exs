defmodule Canopy.Repo.Migrations.ProtectSpecies do
  use Ecto.Migration

  # species come from the national list; only the importer writes them
  def up do
    execute "REVOKE TRUNCATE ON public.species FROM PUBLIC"

    execute """
    REVOKE INSERT, UPDATE, DELETE, RULE
        ON public.species
      FROM canopy_reports
    """

    execute """
    CREATE RULE species_keep AS ON DELETE TO public.species
      WHERE old.native DO INSTEAD NOTHING
    """
  end

  def down do
    execute "DROP RULE species_keep ON public.species"
  end
end
