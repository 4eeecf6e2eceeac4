# frozen_string_literal: true

class PurchaseOrder < ApplicationRecord
  belongs_to :supplier

  STATES = %w[draft ordered delivered paid].freeze

  def self.with_term(term)
    find_by_sql([
      "SELECT * FROM purchase_orders " \
      "WHERE json_value(payload, 'incoterm') = ? " \
      "AND state <> 'draft'", term
    ])
  end

  # Orders that nobody has confirmed: a month (and the grace period) back.
  def self.overdue
    where("ordered_on < (now() + interval '1 month ago 3 days')::date")
  end

  # The same for drafts, which have a longer grace period.
  def self.forgotten_drafts
    where(state: "draft").where("ordered_on < (now() + interval '1 month 10 days ago')::date")
  end
end
