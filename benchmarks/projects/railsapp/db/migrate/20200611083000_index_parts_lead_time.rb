class IndexPartsLeadTime < ActiveRecord::Migration[6.0]
  disable_ddl_transaction!

  def up
    execute <<~SQL
      CREATE INDEX CONCURRENTLY index_parts_on_lead_time_label
          ON parts ((lead_time::text), sku)
    SQL
  end

  def down
    execute "DROP INDEX CONCURRENTLY IF EXISTS index_parts_on_lead_time_label"
  end
end
