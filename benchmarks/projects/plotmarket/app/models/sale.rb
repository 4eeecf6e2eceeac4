class Sale < ApplicationRecord
  self.primary_key = "id"

  belongs_to :listing
  belongs_to :market_day, optional: true

  scope :in_month, ->(month) { where("EXTRACT(month FROM sales.sold_at) = ?", month) }
  scope :before_noon, -> { where("EXTRACT(hour FROM sales.sold_at) < 12") }
  scope :whole_seconds, -> { where("date_part('second', sales.sold_at) = floor(date_part('second', sales.sold_at))") }

  def self.receipts(day)
    find_by_sql([<<~SQL, { day: day }])
      SELECT sales.id,
             to_char(sales.sold_at, 'HH24:MI:SS.MS') AS printed_at,
             to_char(sales.sold_at, 'YYYYMMDD-SSSS') AS receipt_number,
             to_char(sales.sold_at, 'HH24"FF1"') AS till,
             sales.total
        FROM sales
       WHERE sales.sold_at::date = :day
       ORDER BY sales.id
    SQL
  end
end
