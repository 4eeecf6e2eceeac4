class ReadingSession < ApplicationRecord
  belongs_to :patron

  def self.longest(limit = 20)
    find_by_sql([<<~SQL, limit])
      SELECT title_id, SUM(rs.total_time) AS seconds
        FROM reading_sessions rs
       GROUP BY title_id
       ORDER BY seconds DESC
       LIMIT ?
    SQL
  end
end
