class CreateLegacyImports < ActiveRecord::Migration[5.0]
  def up
    execute <<~SQL
      CREATE TABLE legacy_imports (
        batch integer NOT NULL,
        line text NOT NULL,
        imported_at timestamp NOT NULL DEFAULT now()
      ) WITH OIDS
    SQL
  end

  def down
    drop_table :legacy_imports
  end
end
