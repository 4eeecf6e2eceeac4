class Plot < ApplicationRecord
  belongs_to :site
  has_many :leases

  SURVEY_TOLERANCE = 5

  scope :on_their_site, -> { joins(:site).where("plots.position <@ sites.bounds") }
  scope :in_window, lambda { |west, south, east, north|
    where("plots.position @ box(point(?, ?), point(?, ?))", west, south, east, north)
  }
  scope :near_gate, ->(metres) { joins(:site).where("plots.position <@ circle(sites.gate, ?)", metres) }
  scope :survey_differs, -> { where("@ (plots.area_m2 - plots.surveyed_m2) > ?", SURVEY_TOLERANCE) }
  scope :soil_matching, ->(pattern) { where("plots.soil ~ ?", pattern) }
  scope :without_shed, -> { where("plots.sheds = 0") }

  def self.nearest_to(x, y, limit: 3)
    find_by_sql([<<~SQL, { x: x, y: y, limit: limit }])
      SELECT plots.*,
             plots.position <-> point(:x, :y) AS distance
        FROM plots
       ORDER BY plots.position <-> point(:x, :y), plots.id
       LIMIT :limit
    SQL
  end

  def self.neighbours
    connection.select_rows(<<~SQL)
      SELECT a.number, b.number
        FROM plots a
        JOIN plots b ON b.site_id = a.site_id
                    AND b.id > a.id
                    AND circle(a.position, 12) @> b.position
       ORDER BY a.id, b.id
    SQL
  end
end
