require "csv"

# Writes the lines of a month for the accountants, without loading them all.
class SettlementExport
  BATCH = 500

  def initialize(month, io)
    @month = month.beginning_of_month
    @io = io
  end

  def call
    csv = CSV.new(@io, col_sep: ";")
    connection.transaction do
      connection.exec_query("SELECT open_settlement($1)", "settlement", [@month])
      loop do
        rows = connection.exec_query("FETCH FORWARD 500 FROM settlement_lines").rows
        break if rows.empty?
        rows.each { |row| csv << row }
      end
    end
  end

  # Open items are few enough for one batch.
  def open_items
    connection.transaction do
      connection.execute(<<~SQL)
        DECLARE open_items CURSOR FOR
          SELECT number, issued_on FROM invoices WHERE paid_on IS NULL ORDER BY number
      SQL
      connection.exec_query("FETCH ALL FROM open_items").rows
    end
  end

  private

  def connection
    ActiveRecord::Base.connection
  end
end
