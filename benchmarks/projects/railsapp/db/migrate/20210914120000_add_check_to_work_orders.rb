class AddCheckToWorkOrders < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      ALTER TABLE work_orders
        ADD CONSTRAINT work_orders_priority_range CHECK (priority BETWEEN 1 AND 5)
    SQL
  end

  def down
    execute "ALTER TABLE work_orders DROP CONSTRAINT work_orders_priority_range"
  end
end
