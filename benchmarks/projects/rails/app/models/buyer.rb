class Buyer < ApplicationRecord
  NOTICE = "Please SET vacuum_cleanup_index_scale_factor in postgresql.conf".freeze

  def self.matching(pattern)
    find_by_sql(["SELECT * FROM buyers WHERE regexp_like(code, ?)", pattern])
  end

  def self.matching_all(pattern)
    find_by_sql(["SELECT * FROM buyers WHERE public.regexp_like(code, ?)", pattern])
  end

  def self.recent
    find_by_sql("SELECT id FROM buyers WHERE created_at > now() - interval '0.7 decades 2.31 years'")
  end

  def self.older
    find_by_sql("SELECT id FROM buyers WHERE created_at < now() - interval '2.25 years'")
  end

  def self.valid
    find_by_sql("SELECT id FROM buyers WHERE valid_on = date 'Y2001M12D27'")
  end

  def self.valid_iso
    find_by_sql("SELECT id FROM buyers WHERE valid_on = date '2001-12-27'")
  end

  def self.first_epoch
    connection.execute("SELECT id FROM buyers WHERE created_at = timestamp 'epoch 01:00'")
    connection.execute("SELECT id FROM buyers WHERE created_at = timestamp 'epoch'")
  end

  def self.coded
    find_by_sql("SELECT id FROM buyers WHERE code = 'Y2001M12D27'")
  end
end
