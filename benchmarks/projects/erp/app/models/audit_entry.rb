# frozen_string_literal: true

class AuditEntry < ApplicationRecord
  # Who touched a record, the newest first. Entries of the scheduler carry no name.
  def self.authors_of(type, id)
    connection.select_values(sanitize_sql_array([<<~SQL.squish, type, id]))
      SELECT DISTINCT coalesce(system_user, 'scheduler')
        FROM audit_entries
       WHERE record_type = ? AND record_id = ?
    SQL
  end

  def self.by_hand
    where('"system_user" IS NOT NULL')
  end

  def self.count_for(name)
    where(system_user: name).count
  end
end
