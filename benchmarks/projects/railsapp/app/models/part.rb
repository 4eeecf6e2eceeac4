class Part < ApplicationRecord
  validates :sku, presence: true, uniqueness: true

  scope :in_stock, -> { where("stock > 0") }
  scope :with_properties, ->(wanted) { where("parts.properties @> ?::hstore", wanted) }

  def self.matching(wanted)
    find_by_sql([<<~SQL, wanted])
      SELECT parts.*
        FROM parts
       WHERE parts.stock > 0
         AND parts.properties @ ?::hstore
       ORDER BY parts.sku
    SQL
  end

  def self.slow_movers
    find_by_sql(<<~SQL)
      SELECT id, sku, lead_time::text AS lead_time_label
        FROM parts
       WHERE lead_time > interval '30 days'
    SQL
  end
end
