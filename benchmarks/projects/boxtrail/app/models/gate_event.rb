class GateEvent < ApplicationRecord
  KINDS = %w[in out inspection].freeze

  belongs_to :container
  belongs_to :terminal

  scope :recent, -> { where("happened_at > now() - interval '36 hours'") }
  scope :busiest_lane, -> { group(:lane).order(Arel.sql("count(*) DESC")).limit(1) }
end
