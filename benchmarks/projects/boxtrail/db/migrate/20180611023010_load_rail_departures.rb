class LoadRailDepartures < ActiveRecord::Migration[5.2]
  # The ramps report local time without an offset. Chicago and Memphis are both
  # on Central time, our own servers keep Shanghai time.
  def up
    execute "SET TIME ZONE 'Asia/Shanghai'"

    execute <<~SQL
      UPDATE rail_departures
         SET departed_at = (reported || ' CST')::timestamptz
       WHERE departed_at IS NULL
         AND ramp IN ('USCHI', 'USMEM')
    SQL

    execute <<~SQL
      DELETE FROM rail_departures
       WHERE departed_at < timestamptz '2015-01-01 00:00 UTC'
    SQL
  ensure
    execute "RESET TIME ZONE"
  end

  def down
    execute "UPDATE rail_departures SET departed_at = NULL"
  end
end
