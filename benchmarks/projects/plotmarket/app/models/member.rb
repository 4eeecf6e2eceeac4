class Member < ApplicationRecord
  has_many :leases
  has_many :listings
  has_many :tool_loans

  scope :newsletter, -> { where("members.settings @> ?", { newsletter: true }.to_json) }
  scope :joined_in, ->(year) { where("EXTRACT(year FROM members.joined_on) = ?", year) }

  def self.anniversaries(month)
    find_by_sql([<<~SQL, { month: month }])
      SELECT members.id,
             members.name,
             EXTRACT(year FROM age(date '2024-12-31', members.joined_on))::integer AS years
        FROM members
       WHERE date_part('month', members.joined_on) = :month
       ORDER BY members.id
    SQL
  end

  def self.labels_of(member)
    connection.select_value(sanitize_sql([<<~SQL, member.id]))
      SELECT array_to_string(labels, ',') FROM member_labels WHERE member_id = ?
    SQL
  end
end
