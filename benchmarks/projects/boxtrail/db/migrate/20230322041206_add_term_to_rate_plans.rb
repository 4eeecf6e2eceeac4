class AddTermToRatePlans < ActiveRecord::Migration[7.0]
  def up
    execute "ALTER TABLE rate_plans ADD COLUMN IF NOT EXISTS term interval"
    execute <<~SQL
      UPDATE rate_plans
         SET term = interval '1.5 years'
       WHERE code LIKE 'STD4%' AND term IS NULL
    SQL
    execute <<~SQL
      COMMENT ON COLUMN rate_plans.term IS 'interval text as printed on the contract, such as 1.99 years'
    SQL
  end

  def down
    remove_column :rate_plans, :term
  end
end
