class SeedPacket < ApplicationRecord
  belongs_to :produce_kind

  # lot codes are printed by the packing machine, shelf codes by our own label printer
  def self.packed_until(day)
    find_by_sql([<<~SQL, { day: day }])
      SELECT seed_packets.*,
             seed_packets.lot_code::date AS lot_date
        FROM seed_packets
       WHERE seed_packets.packed_on <= :day
       ORDER BY seed_packets.id
    SQL
  end

  def self.shelved_after(day)
    find_by_sql([<<~SQL, { day: day }])
      SELECT seed_packets.id,
             seed_packets.shelf_code::date AS shelved_on,
             seed_packets.shelf_code::date - seed_packets.packed_on AS days_until_shelf
        FROM seed_packets
       WHERE seed_packets.shelf_code::date > :day
       ORDER BY seed_packets.id
    SQL
  end

  def self.without_packing_day
    find_by_sql(<<~SQL)
      SELECT seed_packets.id,
             to_date(seed_packets.lot_code, '"Y"YYYY"M"MM"D"DD') AS lot_date
        FROM seed_packets
       WHERE seed_packets.packed_on IS NULL
       ORDER BY seed_packets.id
    SQL
  end

  scope :from_machine, -> { where("seed_packets.lot_code LIKE 'Y%M%D%'") }
end
