# Compares the restored copy of a school with the numbers that the export wrote down.
class SchemaCheck
  EXPECTED_CONSTRAINTS = { "scores" => 2, "students" => 1 }.freeze

  def initialize(connection = ActiveRecord::Base.connection)
    @connection = connection
  end

  def complete?
    EXPECTED_CONSTRAINTS.all? { |table, count| constraints(table) == count }
  end

  def foreign_keys
    @connection.select_value(<<~SQL)
      SELECT count(*)
        FROM pg_constraint
       WHERE contype = 'f' AND conrelid = 'public.scores'::regclass
    SQL
  end

  private

  def constraints(table)
    sql = "SELECT count(*) FROM pg_constraint WHERE conrelid = to_regclass('public.' || $1)"
    @connection.exec_query(sql, "constraints", [table]).rows.first.first
  end
end
