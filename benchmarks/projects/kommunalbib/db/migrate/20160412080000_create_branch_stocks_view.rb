class CreateBranchStocksView < ActiveRecord::Migration[4.2]
  def up
    execute <<~SQL
      CREATE OR REPLACE VIEW branch_stocks AS
        SELECT b.id AS branch_id, b.name, count(c.id) AS copies, count(DISTINCT c.title_id) AS titles
          FROM branches b
          LEFT JOIN copies c ON c.branch_id = b.id
         GROUP BY b.id, b.name
    SQL
  end

  def down
    execute "DROP VIEW branch_stocks"
  end
end
