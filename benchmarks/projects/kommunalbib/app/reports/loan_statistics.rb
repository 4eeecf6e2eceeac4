# The yearly figures for the state's library statistics. The JSON goes to the portal as it is.
class LoanStatistics
  def initialize(connection = ActiveRecord::Base.connection)
    @connection = connection
  end

  def as_json(*)
    { years: by_year, weekdays: by_weekday, duration: durations }
  end

  # EXTRACT(year FROM due_on) would count loans of December twice.
  def by_year
    @connection.select_all(<<~SQL).to_a
      SELECT b.code,
             EXTRACT(year FROM l.checked_out_at) AS loan_year,
             COUNT(*) AS loans
        FROM loans l
        JOIN copies c ON c.id = l.copy_id
        JOIN branches b ON b.id = c.branch_id
       GROUP BY 1, 2
       ORDER BY 1, 2
    SQL
  end

  def by_weekday
    @connection.select_all(<<~SQL).to_a
      SELECT EXTRACT(isodow FROM l.checked_out_at)::int AS weekday, COUNT(*) AS loans
        FROM loans l
       GROUP BY 1
       ORDER BY 1
    SQL
  end

  def durations
    @connection.select_all(<<~SQL).to_a
      SELECT p.category, AVG(date_part('day', l.returned_at - l.checked_out_at)) AS days
        FROM loans l
        JOIN patrons p ON p.id = l.patron_id
       WHERE l.returned_at IS NOT NULL
       GROUP BY p.category
       ORDER BY p.category
    SQL
  end
end
