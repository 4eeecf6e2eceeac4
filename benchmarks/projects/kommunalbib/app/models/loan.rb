class Loan < ApplicationRecord
  belongs_to :patron
  belongs_to :copy
  has_many :fines

  MAX_RENEWALS = 3

  scope :open, -> { where(returned_at: nil) }
  scope :overdue, -> { open.where("due_on < CURRENT_DATE") }
  scope :renewed_to_the_limit, -> { where("loans.renewals >= 3AND loans.returned_at IS NULL") }

  # Those closest to their due date first, whether before or after it
  scope :by_distance_to_due_date, -> {
    open.order(Arel.sql("@ (loans.due_on - CURRENT_DATE), loans.id"))
  }

  def renew!
    raise "no more renewals" if renewals >= MAX_RENEWALS

    update!(due_on: due_on + 21.days, renewals: renewals + 1)
  end
end
