class Customer < ApplicationRecord
  has_many :work_orders

  SLUG_FORMAT = "^[a-z0-9-]+$".freeze

  scope :with_clean_slug, -> { where("customers.slug ~ ?", SLUG_FORMAT) }

  def self.machine_accounts
    find_by_sql(<<~SQL)
      SELECT customers.id, customers.name
        FROM customers
       WHERE customers.kind IN ('service', 'system_user')
       ORDER BY customers.name
    SQL
  end
end
