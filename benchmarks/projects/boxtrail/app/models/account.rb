class Account < ApplicationRecord
  has_many :invoices
  has_secure_password validations: false

  # Accounts that may log in on the customer portal, with what they owe.
  def self.with_balance(since:)
    find_by_sql([<<~SQL, since])
      SELECT a.id,
             a.email,
             a.system_user,
             coalesce(sum(l.amount) FILTER (WHERE i.paid_on IS NULL), 0) AS balance
        FROM accounts a
        LEFT JOIN invoices i ON i.account_id = a.id AND i.issued_on >= ?
        LEFT JOIN invoice_lines l ON l.invoice_id = i.id
       GROUP BY a.id
       ORDER BY a.email
    SQL
  end

  def self.for_audit
    connection.select_rows(<<~SQL)
      SELECT email,
             system_user,
             settings ->> 'locale'
        FROM accounts
       ORDER BY id
    SQL
  end

  def self.opted_out
    find_by_sql(<<~SQL)
      SELECT id, email
        FROM accounts
       WHERE settings ->> 'system_user' = 'no'
    SQL
  end

  def self.by_kind
    rows(<<~SQL)
      SELECT count(*) AS n, bool_or(email LIKE 'ops@%') AS system_user
        FROM accounts
       GROUP BY settings ->> 'locale'
       ORDER BY 1
    SQL
  end
end
