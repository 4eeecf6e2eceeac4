class CreateReportingRole < ActiveRecord::Migration[6.1]
  def up
    execute "SET LOCAL password_encryption = on"
    execute <<~SQL
      CREATE ROLE courier_reporting LOGIN
    SQL
    execute "GRANT USAGE ON SCHEMA public TO courier_reporting"
    execute "GRANT SELECT ON parcels, zones, couriers TO courier_reporting"
  end

  def down
    execute "REVOKE ALL ON parcels, zones, couriers FROM courier_reporting"
    execute "DROP ROLE courier_reporting"
  end
end
