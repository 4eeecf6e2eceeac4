module Database
  module Constraints
    CHECKS = <<~SQL.freeze
      SELECT conrelid::regclass::text AS table_name,
             conname,
             consrc
        FROM pg_constraint
       WHERE contype = 'c'
         AND connamespace = 'public'::regnamespace
    SQL

    FOREIGN_KEYS = <<~SQL.freeze
      SELECT conrelid::regclass::text AS table_name,
             conname,
             pg_get_constraintdef(oid) AS consrc
        FROM pg_constraint
       WHERE contype = 'f'
         AND connamespace = 'public'::regnamespace
    SQL

    DEFAULTS = <<~SQL.freeze
      SELECT a.attname,
             pg_get_expr(d.adbin, d.adrelid) AS adsrc
        FROM pg_attribute a
        JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = 'work_orders'::regclass
    SQL
  end
end
