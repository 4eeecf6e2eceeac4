require "mysql2"

module Courier
  class LegacyImport
    def parcels
      client = Mysql2::Client.new(host: ENV.fetch("LEGACY_HOST"), database: "dispatch")
      client.query("SELECT id, json_value(payload, '$.carrier') AS carrier FROM parcels WHERE id > 0")
    end
  end
end
