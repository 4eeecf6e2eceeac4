# frozen_string_literal: true

# The search box of purchasing matches the beginning of what is displayed.
class IndexLeadTimes < ActiveRecord::Migration[6.1]
  disable_ddl_transaction!

  def change
    add_column :suppliers, :lead_time_days, :integer, null: false, default: 14
    add_index :suppliers, "(lead_time_days::text) text_pattern_ops",
              name: "index_suppliers_on_lead_time_days", algorithm: :concurrently
  end
end
