\set tram random(1, 6)
SELECT count(*) FROM faults WHERE tram_id = :tram;
SELECT id, fleet_no, minutes FROM open_work ORDER BY id;
