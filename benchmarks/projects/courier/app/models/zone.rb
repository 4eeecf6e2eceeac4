class Zone < ApplicationRecord
  has_many :parcels

  CODE_FORMAT = /\A[A-Z]{2}\d+\z/

  validates :code, format: CODE_FORMAT

  def self.containing(lat, lng)
    find_by_sql([<<~SQL, lat, lng])
      SELECT zones.*
      FROM zones
      WHERE zones.boundary ~ point(?, ?)
      ORDER BY zones.code
    SQL
  end

  def self.regional(country)
    find_by_sql([<<~SQL, country])
      SELECT zones.*
      FROM zones
      WHERE zones.code ~ ('^' || ? || '[\\w.-]+$')
    SQL
  end
end
