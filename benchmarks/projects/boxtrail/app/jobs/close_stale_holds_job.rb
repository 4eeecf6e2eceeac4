class CloseStaleHoldsJob < ApplicationJob
  queue_as :maintenance

  def perform(before = 90.days.ago.to_date)
    connection = ActiveRecord::Base.connection
    connection.execute("SET statement_timeout = '5min'")
    closed = connection.select_value("SELECT close_stale_holds('#{before}')")
    Rails.logger.info("closed #{closed} holds")
  ensure
    connection.execute("RESET statement_timeout")
  end
end
