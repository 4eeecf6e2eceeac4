class AuditTrail
  # Who did what to a record; jobs write their events without a clerk.
  def for(subject)
    AuditEvent.find_by_sql([
      "SELECT e.id, e.action, e.created_at, clerk.login FROM audit_events e LEFT JOIN users clerk ON clerk.id = e.user_id WHERE e.subject_type = ? AND e.subject_id = ? ORDER BY e.id",
      subject.class.name, subject.id
    ])
  end

  def clerks_of_today
    AuditEvent.connection.select_values(<<~SQL)
      SELECT DISTINCT u.login AS system_user
        FROM audit_events e
        JOIN users u ON u.id = e.user_id
       WHERE e.created_at >= CURRENT_DATE
    SQL
  end

  def summary(event)
    AuditEvent.connection.select_value(<<~SQL)
      SELECT json_object(ARRAY['action', e.action, 'subject', e.subject_type])
        FROM audit_events e
       WHERE e.id = #{event.id.to_i}
    SQL
  end
end
