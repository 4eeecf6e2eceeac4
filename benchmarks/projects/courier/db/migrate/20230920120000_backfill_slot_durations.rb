class BackfillSlotDurations < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      UPDATE delivery_slots
         SET duration = interval '1.5 hours'
       WHERE duration = interval '0'
    SQL
  end

  def down; end
end
