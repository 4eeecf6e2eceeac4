class CreateMarketCalendar < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      CREATE VIEW market_calendar AS
      SELECT market_days.id,
             sites.name AS site_name,
             market_days.held_on,
             date_part('year', market_days.held_on) AS year,
             EXTRACT(week FROM market_days.held_on) AS week,
             EXTRACT(isodow FROM market_days.held_on)::integer AS weekday,
             market_days.opens_at + market_days.open_for AS closes_at
        FROM market_days
        JOIN sites ON sites.id = market_days.site_id
    SQL
  end

  def down
    execute "DROP VIEW market_calendar"
  end
end
