CREATE OR REPLACE VIEW berth_overview AS
SELECT b.berth_id, h.name AS harbour, p.code || '-' || b.number AS label,
       b.max_length, b.amenities
  FROM berth b
  JOIN pontoon p USING (pontoon_id)
  JOIN harbour h USING (harbour_id);

CREATE OR REPLACE VIEW boat_in_harbour AS
SELECT b.boat_id, h.harbour_id
  FROM boat b
  JOIN harbour h ON b.position <@ h.outline;

CREATE OR REPLACE VIEW stay_years AS
SELECT date_part('year', arrived_at) AS year, count(*) AS stays
  FROM stay
 GROUP BY 1;
