class CreatePickupSlots < ActiveRecord::Migration[6.1]
  def up
    execute <<~SQL
      CREATE TABLE pickup_slots (
          id bigserial PRIMARY KEY,
          site_id bigint NOT NULL REFERENCES sites (id),
          during tsrange NOT NULL,
          capacity integer NOT NULL DEFAULT 6,
          compression text,
          EXCLUDE USING gist (during WITH &&) WHERE (capacity > 0)
      )
    SQL
    execute "CREATE INDEX index_pickup_slots_on_lower_during ON pickup_slots (lower(during) timestamp_ops)"
    execute "ALTER TABLE members ADD COLUMN IF NOT EXISTS pickup_token text UNIQUE"
    execute "ALTER TABLE listings ADD COLUMN pickup_within interval NOT NULL DEFAULT interval '1.5 days'"
    execute "COMMENT ON COLUMN pickup_slots.capacity IS 'members who may come at the same time'"
  end

  def down
    execute "ALTER TABLE listings DROP COLUMN pickup_within"
    execute "ALTER TABLE members DROP COLUMN pickup_token"
    execute "DROP TABLE pickup_slots"
  end
end
