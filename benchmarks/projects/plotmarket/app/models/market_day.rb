class MarketDay < ApplicationRecord
  belongs_to :site
  has_many :sales

  scope :on_weekend, -> { where("EXTRACT(isodow FROM market_days.held_on) IN (6, 7)") }

  def self.visitors_per_hour
    connection.select_all(<<~SQL)
      SELECT market_days.id,
             round((market_days.visitors / date_part('hour', market_days.open_for))::numeric, 1) AS per_hour
        FROM market_days
       WHERE market_days.visitors IS NOT NULL
       ORDER BY market_days.id
    SQL
  end
end
