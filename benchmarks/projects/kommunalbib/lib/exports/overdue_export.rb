require "csv"

# Overdue loans of a branch for the reminder letters, in portions: the main branch has some 40,000.
class OverdueExport
  BATCH = 500

  def initialize(branch)
    @branch = branch
  end

  def write(io)
    csv = CSV.new(io)
    csv << %w[loan patron copy due]
    connection.transaction do
      connection.execute("SELECT open_overdue_cursor(#{@branch.id})")
      loop do
        rows = connection.select_rows("FETCH #{BATCH} FROM overdue_cur")
        break if rows.empty?

        rows.each { |row| csv << row }
      end
    end
  end

  # All patrons with a card, for the printer of cards.
  def write_patrons(io)
    connection.transaction do
      connection.execute("DECLARE patron_cur CURSOR FOR SELECT card_number, family_name FROM patrons ORDER BY id")
      loop do
        rows = connection.select_rows("FETCH 500 FROM patron_cur")
        break if rows.empty?

        rows.each { |row| io.puts(row.join(";")) }
      end
      connection.execute("CLOSE patron_cur")
    end
  end

  private

  def connection
    ActiveRecord::Base.connection
  end
end
