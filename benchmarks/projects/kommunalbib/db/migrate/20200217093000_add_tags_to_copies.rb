class AddTagsToCopies < ActiveRecord::Migration[6.0]
  disable_ddl_transaction!

  def up
    execute "ALTER TABLE copies ADD COLUMN IF NOT EXISTS tags text[]"
    execute "CREATE INDEX CONCURRENTLY IF NOT EXISTS index_copies_on_tags ON copies USING gin (tags)"
    execute "UPDATE copies SET tags = array_cat(tags, ARRAY['reference']) WHERE call_number LIKE 'REF%'"
  end

  def down
    execute "DROP INDEX IF EXISTS index_copies_on_tags"
  end
end
