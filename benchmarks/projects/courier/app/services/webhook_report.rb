class WebhookReport
  def self.carriers
    ApplicationRecord.select_hashes(<<~SQL)
      SELECT json_value(parcels.payload, 'carrier.code') AS carrier,
             count(*) AS total
      FROM parcels
      GROUP BY 1
    SQL
  end

  def self.countries
    ApplicationRecord.select_hashes(<<~SQL)
      SELECT public.json_value(parcels.payload, 'address.country') AS country,
             count(*) AS total
      FROM parcels
      GROUP BY 1
    SQL
  end
end
