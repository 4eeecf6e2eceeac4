-- Taxa to collect again: too few seeds in the vault, or too few that live.
-- Run by scripts/monthly_reports.sh on the first of each month.
SELECT t.scientific_name,
       count(a.id) AS accessions,
       sum(a.seed_count) AS seeds,
       max(v.viability) AS best_viability
  FROM taxa t
  JOIN accessions a ON a.taxon_id = t.id AND a.status = 'banked'
  LEFT JOIN viability_summary v ON v.accession_id = a.id
 GROUP BY t.scientific_name
HAVING sum(a.seed_count) < 1500or max(v.viability) < 75
 ORDER BY seeds, t.scientific_name;
