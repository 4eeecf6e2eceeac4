class AddTagVectorToContainers < ActiveRecord::Migration[6.1]
  def up
    add_column :containers, :tag_vector, :tsvector
    add_index :containers, :tag_vector, using: :gin

    execute <<~SQL
      UPDATE containers
         SET tag_vector = array_to_tsvector(array_remove(string_to_array(tag_list, ','), ''))
    SQL
  end

  def down
    remove_column :containers, :tag_vector
  end
end
