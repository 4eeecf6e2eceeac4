class WorkOrder < ApplicationRecord
  belongs_to :customer

  scope :open, -> { where(state: "open") }
  scope :overdue, -> { open.where("due_on < CURRENT_DATE") }

  def self.load_by_hour
    find_by_sql(<<~SQL)
      SELECT date_part('hour', started_at) AS hour, count(*) AS orders
        FROM work_orders
       WHERE started_at IS NOT NULL
       GROUP BY 1
    SQL
  end

  def self.due_slots
    find_by_sql(<<~SQL)
      SELECT customer_id,
             extract(hour FROM due_on) AS slot,
             count(*) AS orders
        FROM work_orders
       WHERE due_on >= CURRENT_DATE
       GROUP BY customer_id, slot
    SQL
  end
end
