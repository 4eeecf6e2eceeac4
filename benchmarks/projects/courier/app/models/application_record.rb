class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true

  def self.select_hashes(sql, *binds)
    connection.select_all(sanitize_sql_array([sql, *binds])).to_a
  end
end
