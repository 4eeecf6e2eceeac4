class DeliveryStats
  def initialize(connection = ActiveRecord::Base.connection)
    @connection = connection
  end

  def minutes_by_courier
    @connection.select_all(<<~SQL).to_a
      SELECT courier_id,
             count(*) AS delivered,
             EXTRACT(EPOCH FROM avg(delivered_at - picked_up_at)) / 60 AS minutes
      FROM parcels
      WHERE delivered_at IS NOT NULL
      GROUP BY courier_id
    SQL
  end

  def per_year
    @connection.select_all(<<~SQL).to_a
      SELECT EXTRACT(YEAR FROM delivered_at)::int AS year, count(*) AS parcels
      FROM parcels
      WHERE delivered_at IS NOT NULL
      GROUP BY 1
      ORDER BY 1
    SQL
  end
end
