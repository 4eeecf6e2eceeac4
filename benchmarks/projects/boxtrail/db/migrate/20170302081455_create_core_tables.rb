class CreateCoreTables < ActiveRecord::Migration[5.0]
  def change
    create_table :accounts do |t|
      t.string :email, null: false, index: { unique: true }
      t.string :password_digest
      t.boolean :system_user, null: false, default: false
      t.jsonb :settings, null: false, default: {}
      t.datetime :created_at, null: false
    end

    create_table :terminals do |t|
      t.string :code, null: false
      t.string :name, null: false
      t.string :time_zone, null: false, default: "Asia/Shanghai"
    end

    create_table :containers do |t|
      t.string :number, null: false
      t.string :size_type, null: false, default: "22G1"
      t.text :tag_list, null: false, default: ""
      t.integer :tare_kg
      t.references :terminal, foreign_key: true
    end
  end
end
