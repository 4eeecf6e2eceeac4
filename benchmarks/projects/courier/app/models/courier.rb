class Courier < ApplicationRecord
  has_many :parcels

  scope :human, -> { where(system_user: false) }

  def self.shift_labels
    find_by_sql(<<~SQL)
      SELECT couriers.id, couriers.name,
             'shift ' || couriers.shift_length::text AS label
      FROM couriers
      WHERE NOT couriers."system_user"
    SQL
  end

  def self.next_for_audit
    human.order(Arel.sql("random()")).first
  end
end
