class Patron < ApplicationRecord
  has_many :loans

  CATEGORIES = %w[adult child senior trial].freeze

  scope :expired, -> { where("expires_on < CURRENT_DATE") }
  scope :with_numeric_card, -> { where("card_number ~ '^[0-9]+$'") }
  scope :birthday_in, ->(month) { where("date_part('month', born_on)::int = ?", month) }
end
