class CarrierMessage < ApplicationRecord
  # json_value() trims and treats blanks as missing, ->> does not.
  def self.seals(carrier)
    find_by_sql([<<~SQL, carrier])
      SELECT id,
             json_value(payload, 'seal_number') AS seal
        FROM carrier_messages
       WHERE carrier = ?
       ORDER BY received_at
    SQL
  end

  def self.missing_eta
    find_by_sql(<<~SQL)
      SELECT id, carrier
        FROM carrier_messages
       WHERE public.json_value(payload, 'eta') IS NULL
    SQL
  end

  def self.numeric_markers
    find_by_sql(<<~SQL)
      SELECT id, payload -> 'json_value' AS json_value
        FROM carrier_messages
       WHERE payload ? 'json_value'
    SQL
  end
end
