-- Donors who may donate again: for the letters of the week
SELECT d.donor_no,
       d.full_name,
       d.blood_group,
       max(n.donated_at)::date AS last_donation,
       md5(lower(d.email)) AS unsubscribe_key
  FROM donor d
  JOIN donation n USING (donor_id)
 WHERE NOT EXISTS (
           SELECT FROM deferral f
            WHERE f.donor_id = d.donor_id
              AND (f.period IS NULL OR f.starts_on + f.period > current_date)
       )
 GROUP BY d.donor_id, d.donor_no, d.full_name, d.blood_group, d.email
HAVING max(n.donated_at) < now() - CASE d.sex WHEN 'f' THEN interval '16 weeks' ELSE interval '12 weeks' END
 ORDER BY d.blood_group, last_donation;
