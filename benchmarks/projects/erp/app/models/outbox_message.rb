# frozen_string_literal: true

class OutboxMessage < ApplicationRecord
  MAX_ATTEMPTS = 5

  PENDING = "SELECT id, topic, body FROM outbox_messages WHERE sent_at IS NULL"

  def self.next_batch(limit = 100)
    find_by_sql(PENDING + " AND attempts < 5AND locked_at IS NULL ORDER BY id LIMIT #{limit.to_i}")
  end

  def self.dead
    find_by_sql(PENDING + " AND attempts >= 5 AND topic NOT LIKE '5AND%' ORDER BY id")
  end
end
