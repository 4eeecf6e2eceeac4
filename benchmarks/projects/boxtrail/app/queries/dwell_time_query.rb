class DwellTimeQuery
  SQL = <<~SQL.freeze
    SELECT c.number,
           min(e.happened_at) FILTER (WHERE e.kind = 'in') AS gated_in,
           max(e.happened_at) FILTER (WHERE e.kind = 'out') AS gated_out
      FROM containers c
      JOIN gate_events e ON e.container_id = c.id
     WHERE e.happened_at >= :from AND e.happened_at < :to
     GROUP BY c.number
    HAVING count(*) > 1
     ORDER BY c.number
  SQL

  def initialize(from:, to:)
    @from = from
    @to = to
  end

  def call
    ApplicationRecord.rows(SQL, from: @from, to: @to)
  end
end
