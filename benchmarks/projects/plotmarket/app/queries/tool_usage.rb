# Hours of use per tool, for the service plan.
class ToolUsage
  SERVICE_AFTER_HOURS = 20

  SQL = <<~SQL.freeze
    SELECT tools.id,
           tools.name,
           tools.total_time,
           round(coalesce(sum(EXTRACT(epoch FROM tool_loans.returned_at - tool_loans.lent_at)::float8), 0) / 3600) AS hours,
           justify_hours(tools.total_time) AS counted
      FROM tools
      LEFT JOIN tool_loans ON tool_loans.tool_id = tools.id
     GROUP BY tools.id, tools.name, tools.total_time
     ORDER BY tools.id
  SQL

  def rows
    ActiveRecord::Base.connection.select_all(SQL)
  end

  def due
    Tool.where("tools.total_time >= make_interval(hours => ?)", SERVICE_AFTER_HOURS)
  end
end
