-- Revenue by campaign. Tags come from the ad networks.
\set channel newsletter

SELECT c.campaign_id, c.name, sum(o.amount) AS amount
  FROM warehouse.dim_campaign c
  JOIN warehouse.orders o USING (campaign_id)
 WHERE c.tags @ hstore('channel', :'channel')
 GROUP BY 1, 2
 ORDER BY amount DESC;

SELECT c.campaign_id, c.name
  FROM warehouse.dim_campaign c
 WHERE c.tags @> hstore('channel', 'affiliate')
   AND c.name ~ '^(spring|summer)';

-- campaigns that were running, by bucket of 6 hours
SELECT util.date_bin(interval '6 hours', o.placed_at) AS bucket, count(DISTINCT o.campaign_id) AS campaigns
  FROM warehouse.orders o
 WHERE o.campaign_id IS NOT NULL
 GROUP BY 1
 ORDER BY 1;
