class Tool < ApplicationRecord
  belongs_to :site
  has_many :tool_loans

  scope :most_used, -> { order(Arel.sql("tools.total_time DESC")) }
  scope :numbered, ->(prefix) { where("tools.inventory_number::text LIKE ? || '%'", prefix) }
end
