class RatePlan < ApplicationRecord
  def self.expiring(on)
    find_by_sql([<<~SQL, on])
      SELECT id, code, valid_from + coalesce(term, interval '2.25 years') AS ends_at
        FROM rate_plans
       WHERE valid_from + coalesce(term, interval '2 years 3 months') < ?
    SQL
  end

  def self.free_days
    connection.select_rows("SELECT code, free_time::text FROM rate_plans ORDER BY code")
  end
end
