# frozen_string_literal: true

# Loads a supplier's list of lots into import_lines and books what is valid.
class LotImport
  COPY = <<~SQL
    COPY import_lines (import_id, line_no, sku, lot, quantity)
    FROM STDIN WITH (FORMAT csv)
    WHERE quantity > 0
  SQL

  # Retry of a partial file: takes only what lands in the table itself, not what triggers divert
  COPY_AGAIN = <<~SQL
    COPY import_lines (import_id, line_no, sku, lot, quantity)
    FROM STDIN WITH (FORMAT csv, HEADER)
    WHERE tableoid = 'import_lines'::regclass
  SQL

  def initialize(path, again: false)
    @path = path
    @again = again
  end

  def call
    raw = ApplicationRecord.connection.raw_connection
    raw.copy_data(@again ? COPY_AGAIN : COPY) do
      File.foreach(@path) { |line| raw.put_copy_data(line) }
    end
    book
  end

  private

  def book
    ApplicationRecord.connection.execute(<<~'SQL')
      INSERT INTO stock_movements (id, product_id, lot, quantity, booked_at)
      SELECT row_number() OVER (), p.id, l.lot, round_to_pack(l.quantity, p.pack_size), now()
        FROM import_lines AS l
        JOIN products AS p ON sku_key(p.sku) = sku_key(l.sku)
       WHERE l.error IS NULL AND l.lot ~ E'^\\w{2}-\\d+$'
    SQL
  end
end
