class Branch < ApplicationRecord
  has_many :copies

  # Distances are in degrees: good enough inside of the city.
  scope :near, ->(lng, lat, radius) {
    where("location @ circle(point(?, ?), ?)", lng, lat, radius)
  }

  # Branches whose van delivers to the address.
  scope :delivering_to, ->(lng, lat) {
    where("delivery_area @> point(?, ?)", lng, lat)
  }

  scope :at, ->(lng, lat) { where("location ~= point(?, ?)", lng, lat) }

  # Left over from the import of 2014: "info @ library.example"
  scope :with_broken_email, -> { where("contact_email LIKE '% @ %'") }
end
