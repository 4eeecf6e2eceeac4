class Lease < ApplicationRecord
  belongs_to :plot
  belongs_to :member

  enum state: { active: "active", notice_given: "notice_given", ended: "ended" }

  scope :open_ended, -> { where(ends_on: nil) }
  scope :long_notice, -> { where("leases.notice_period > interval '0.5 years'") }
  scope :running_on, ->(day) { where("? BETWEEN leases.starts_on AND coalesce(leases.ends_on, 'infinity')", day) }

  def self.renewals
    find_by_sql(<<~SQL)
      SELECT leases.id,
             leases.plot_id,
             (leases.starts_on + leases.term::interval)::date AS first_renewal,
             EXTRACT(epoch FROM leases.notice_period)::bigint / 86400 AS notice_days
        FROM leases
       WHERE leases.state <> 'ended'
       ORDER BY leases.id
    SQL
  end

  def self.rents
    connection.select_all(<<~SQL)
      SELECT leases.member_id,
             round(sum(leases.rent_per_m2 * plots.area_m2), 2) AS rent
        FROM leases
        JOIN plots ON plots.id = leases.plot_id
       WHERE leases.state IN ('active', 'notice_given')
       GROUP BY leases.member_id
       ORDER BY leases.member_id
    SQL
  end
end
