class CreateSortProfiles < ActiveRecord::Migration[6.1]
  def change
    create_table :sort_profiles do |t|
      t.string :name, null: false
      t.string :lc_collate, null: false
    end
  end
end
