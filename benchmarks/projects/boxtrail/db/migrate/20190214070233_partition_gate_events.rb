class PartitionGateEvents < ActiveRecord::Migration[5.2]
  disable_ddl_transaction!

  def up
    # nothing to lose before the first import, so skip the WAL for the big copy
    execute <<~SQL
      ALTER TABLE edi_buffers SET UNLOGGED
    SQL
    execute <<~SQL
      ALTER TABLE gate_events
        SET UNLOGGED
    SQL

    execute <<~SQL
      INSERT INTO gate_events (container_id, terminal_id, kind, happened_at)
      SELECT c.id, coalesce(c.terminal_id, 1), split_part(b.line, ';', 2), split_part(b.line, ';', 3)::timestamptz
        FROM edi_buffers b
        JOIN containers c ON c.number = split_part(b.line, ';', 1)
    SQL

    execute "ANALYZE gate_events"
  end

  def down
    raise ActiveRecord::IrreversibleMigration
  end
end
