# Takings per month and kind of produce, for the treasurer.
class TakingsReport
  def initialize(year)
    @year = year
  end

  def by_month
    connection.select_all(sanitize(<<~SQL))
      SELECT monthly_takings.month, monthly_takings.takings
        FROM monthly_takings
       WHERE monthly_takings.year = :year
       ORDER BY monthly_takings.month
    SQL
  end

  def by_kind
    sql = "SELECT produce_kinds.name, sum(sales.total) AS takings" \
          "  FROM sales" \
          "  JOIN listings ON listings.id = sales.listing_id" \
          "  JOIN produce_kinds ON produce_kinds.id = listings.produce_kind_id" \
          " WHERE EXTRACT(year FROM sales.sold_at) = :year" \
          " GROUP BY produce_kinds.name" \
          " ORDER BY produce_kinds.name"
    connection.select_all(sanitize(sql))
  end

  def in_season
    connection.select_all(sanitize(<<~SQL))
      SELECT produce_kinds.name,
             count(*) FILTER (WHERE date_part('month', sales.sold_at) = ANY (produce_kinds.months)) AS in_season,
             count(*) AS all_sales
        FROM sales
        JOIN listings ON listings.id = sales.listing_id
        JOIN produce_kinds ON produce_kinds.id = listings.produce_kind_id
       WHERE sales.sold_at >= make_date(:year, 1, 1)
         AND sales.sold_at < make_date(:year + 1, 1, 1)
       GROUP BY produce_kinds.name
       ORDER BY produce_kinds.name
    SQL
  end

  private

  def sanitize(sql)
    ActiveRecord::Base.sanitize_sql([sql, { year: @year }])
  end

  def connection
    ActiveRecord::Base.connection
  end
end
