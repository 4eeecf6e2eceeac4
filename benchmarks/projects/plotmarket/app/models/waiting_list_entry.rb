class WaitingListEntry < ApplicationRecord
  belongs_to :site
  belongs_to :member

  scope :oldest_first, -> { order(:asked_on, :id) }

  # What the office told the member when asked, e.g. "2 years".
  def self.expected_offers
    find_by_sql(<<~SQL)
      SELECT waiting_list_entries.id,
             waiting_list_entries.member_id,
             (waiting_list_entries.asked_on +
               waiting_list_entries.estimate::interval)::date AS offer_on
        FROM waiting_list_entries
       WHERE waiting_list_entries.estimate IS NOT NULL
       ORDER BY waiting_list_entries.id
    SQL
  end

  def self.overdue(today)
    where("waiting_list_entries.asked_on < ?::date - interval '2.5 years'", today)
  end

  def self.renewed_since(day)
    where("waiting_list_entries.asked_on + interval '1 year 6 months' > ?", day)
  end
end
