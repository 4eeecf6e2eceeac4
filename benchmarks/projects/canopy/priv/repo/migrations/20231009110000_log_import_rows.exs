defmodule Canopy.Repo.Migrations.LogImportRows do
  use Ecto.Migration

  def up do
    execute "ALTER TABLE public.import_rows SET LOGGED"
    execute "ALTER TABLE public.trees ALTER COLUMN details SET STATISTICS -1"
  end

  def down do
    execute "ALTER TABLE public.import_rows SET UNLOGGED"
  end
end
