defmodule Blog.Repo.Migrations.Gauges do
  use Ecto.Migration

  def up do
    execute "ALTER TABLE gauges SET UNLOGGED"
    execute "ALTER TABLE posts SET UNLOGGED"
    execute "GRANT SELECT, RULE ON posts TO readers"
    execute "GRANT SELECT, REFERENCES ON posts TO readers"
    execute "ALTER TABLE dogs ALTER COLUMN name DROP NOT NULL"
    execute "ALTER TABLE posts ALTER COLUMN title DROP NOT NULL"
    # execute "SELECT 5 !"
    execute """
    CREATE UNLOGGED TABLE samples (
      id bigint,
      at date
    ) PARTITION BY LIST (id)
    """
    execute "CREATE FUNCTION json_exists(text) RETURNS boolean LANGUAGE sql AS 'SELECT true'"
    execute "CREATE FUNCTION blog_json_exists(text) RETURNS boolean LANGUAGE sql AS 'SELECT true'"
  end
end
