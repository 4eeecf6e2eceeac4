class CollateCodes < ActiveRecord::Migration[6.0]
  def up
    execute 'CREATE OR REPLACE VIEW codes AS SELECT id, code COLLATE "C" AS code FROM buyers'
    execute 'CREATE OR REPLACE VIEW codes AS SELECT id, code FROM buyers WHERE id > 0'
    execute "CREATE INDEX buyers_lasts ON buyers ((lasts::text))"
    execute "CREATE INDEX buyers_lasts_days ON buyers ((justify_hours(lasts)))"
    execute <<~SQL
      CREATE FUNCTION normalize(varchar) RETURNS varchar
      LANGUAGE sql IMMUTABLE AS 'SELECT upper($1)'
    SQL
    # REINDEX TABLE notes
  end
end
