class Site < ApplicationRecord
  has_many :plots
  has_many :market_days
  has_many :waiting_list_entries

  scope :with_locale, ->(locale) { where("sites.lc_collate = ?", locale) }
  scope :crossing, ->(box) { where("sites.bounds && ?::box", box) }

  # Plots whose surveyed position lies outside of the drawn outline.
  def misplaced_plots
    Plot.find_by_sql([<<~SQL, { site_id: id }])
      SELECT plots.*
        FROM plots
        JOIN sites ON sites.id = plots.site_id
       WHERE sites.id = :site_id
         AND NOT sites.outline @> plots.position
    SQL
  end

  def self.overview
    connection.select_all(<<~SQL)
      SELECT sites.id,
             sites.name,
             sites.lc_collate,
             count(plots.id) AS plots,
             count(free_plots.id) AS free,
             string_agg(plots.number, ', ' ORDER BY plots.number) AS numbers
        FROM sites
        LEFT JOIN plots ON plots.site_id = sites.id
        LEFT JOIN free_plots ON free_plots.id = plots.id
       GROUP BY sites.id, sites.name, sites.lc_collate
       ORDER BY sites.id
    SQL
  end
end
