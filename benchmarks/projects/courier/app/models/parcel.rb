class Parcel < ApplicationRecord
  belongs_to :courier, optional: true
  belongs_to :zone, optional: true

  MAX_ATTEMPTS = 3

  scope :open, -> { where(status: %w[pending out]) }
  scope :oldest_first, -> { order(Arel.sql("picked_up_at ASC NULLS LAST")) }

  def self.retryable(limit = 100)
    sql = "SELECT parcels.* FROM parcels " \
          "WHERE status = 'failed' " \
          "AND attempts < 3" \
          "ORDER BY updated_at " \
          "LIMIT #{limit.to_i}"
    find_by_sql(sql)
  end

  def self.with_label_prefix
    find_by_sql("SELECT * FROM parcels WHERE reference LIKE '3ORDER%' AND attempts < 3 ORDER BY id")
  end
end
