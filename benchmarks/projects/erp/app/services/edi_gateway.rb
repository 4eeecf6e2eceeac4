# frozen_string_literal: true

# Hands lists to the EDI partner in chunks, over cursors that the database opens.
class EdiGateway
  CHUNK = 500

  def initialize(supplier)
    @supplier = supplier
    @connection = ApplicationRecord.connection
  end

  def open_items
    ApplicationRecord.transaction do
      @connection.execute("SELECT edi_open_items(#{@supplier.id.to_i})")
      @connection.select_all("FETCH ALL FROM open_items").to_a
    end
  end

  def price_list
    ApplicationRecord.transaction do
      @connection.execute("SELECT edi_price_list(#{@supplier.id.to_i})")
      @connection.select_all("FETCH ALL FROM price_list").to_a
    end
  end

  def each_movement
    ApplicationRecord.transaction do
      @connection.execute("DECLARE movement_export CURSOR FOR SELECT * FROM stock_movements ORDER BY booked_at")
      loop do
        chunk = @connection.select_all("FETCH #{CHUNK} FROM movement_export").to_a
        break if chunk.empty?
        yield chunk
      end
    end
  end
end
