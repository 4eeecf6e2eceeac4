# Ranks the students of a section by their average over the weighted subjects.
class RankingQuery
  def initialize(section)
    @section = section
  end

  def rows
    Student.find_by_sql([<<~SQL, section: @section])
      SELECT s.id, s.name, avg(c.percent * r.weight) AS average,
             rank() OVER (ORDER BY avg(c.percent * r.weight) DESC) AS place
        FROM students s
        JOIN scores c ON c.student_id = s.id
        JOIN grading_rules r ON r.subject = c.subject
       WHERE s.section = :section
         AND c.submitted_at AT TIME ZONE 'Asia/Kolkata' >= timestamp '2023-06-01'
       GROUP BY s.id, s.name
       ORDER BY place
    SQL
  end

  # How many ways there are to seat the first five, for the prize-giving.
  def seatings
    Student.connection.select_value("SELECT factorial(5)")
  end
end
