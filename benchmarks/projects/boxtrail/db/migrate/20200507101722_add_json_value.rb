class AddJsonValue < ActiveRecord::Migration[6.0]
  def up
    execute <<~SQL
      CREATE OR REPLACE FUNCTION public.json_value(doc jsonb, key text) RETURNS text
      LANGUAGE sql IMMUTABLE AS $$
        SELECT nullif(btrim(doc ->> key), '')
      $$;
    SQL
  end

  def down
    execute 'DROP FUNCTION public.json_value(jsonb, text)'
  end
end
