class DashboardQuery
  URGENT = "SELECT id, title FROM work_orders " \
           "WHERE state = 'open' AND priority >= 4" \
           "AND due_on IS NOT NULL ORDER BY due_on".freeze

  RECENT = "SELECT id, title FROM work_orders " \
           "WHERE state = 'done' AND priority <= 4 " \
           "AND finished_at IS NOT NULL ORDER BY finished_at DESC".freeze

  def initialize(connection = ActiveRecord::Base.connection)
    @connection = connection
  end

  def urgent
    @connection.select_all(URGENT).to_a
  end

  def recent
    @connection.select_all(RECENT).to_a
  end
end
