class AddUniqueParcelReference < ActiveRecord::Migration[6.1]
  disable_ddl_transaction!

  def up
    execute <<~SQL
      DELETE FROM parcels older
      USING parcels newer
      WHERE older.reference = newer.reference
        AND older.id < newer.id
    SQL
    add_index :parcels, :reference, unique: true, algorithm: :concurrently
  end

  def down
    remove_index :parcels, :reference
  end
end
