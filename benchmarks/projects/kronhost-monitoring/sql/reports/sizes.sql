-- The largest relations
SELECT c.oid::regclass AS relation, pg_size_pretty(pg_total_relation_size(c.oid)) AS size
  FROM pg_class c
 WHERE c.relkind IN ('r', 'm') AND c.relnamespace = 'hosting'::regnamespace
 ORDER BY pg_total_relation_size(c.oid) DESC, c.oid::regclass::text
 LIMIT 20;

-- Traffic of the large customers
SELECT c.number, c.name, u.gb_out
  FROM hosting.usage_by_customer u
  JOIN hosting.customer c ON c.id = u.customer_id
 WHERE u.gb_out > 500
 ORDER BY u.gb_out DESC;

-- Growth of dead rows in the last week
SELECT relation, max(num_dead_tuples) - min(num_dead_tuples) AS growth
  FROM hosting.table_health
 WHERE noted_at > now() - interval '7 days'
 GROUP BY relation
 ORDER BY growth DESC;
