-- Work list for the team meeting
SELECT c.number,
       c.adjuster,
       working_days(c.opened_at::date, current_date) AS age,
       coalesce(sum(r.amount), 0) AS reserved
  FROM claim c
  LEFT JOIN reserve r ON r.claim_id = c.id
 WHERE c.status IN ('OPEN', 'ASSIGNED')
 GROUP BY c.id
 ORDER BY c.opened_at;

-- Claims whose estimate exceeds the reserve
SELECT c.number, e.garage
  FROM claim c
  JOIN estimate e ON e.claim_id = c.id
  JOIN reserve r ON r.claim_id = c.id
 WHERE (xpath('/estimate/total/text()', e.doc))[1]::text::numeric > r.amount;
