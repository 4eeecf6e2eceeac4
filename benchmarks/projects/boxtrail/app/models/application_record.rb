class ApplicationRecord < ActiveRecord::Base
  primary_abstract_class

  def self.rows(sql, **binds)
    connection.select_all(sanitize_sql_array([sql, binds])).to_a
  end
end
