# frozen_string_literal: true

class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true

  # Rows as hashes, for the read models below app/queries.
  def self.rows(sql, *binds)
    connection.select_all(sanitize_sql_array([sql, *binds])).to_a
  end
end
