-- name: ZoneNames :many
SELECT name
  FROM pg_timezone_names()
 ORDER BY name;

-- name: ZoneAbbreviations :many
-- for the drop-down of the site editor
SELECT a.abbrev, a.utc_offset
  FROM pg_timezone_abbrevs() AS a
 WHERE NOT a.is_dst
 ORDER BY a.abbrev;

-- name: ForeignUsers :many
SELECT rolname, rolvaliduntil
  FROM pg_roles
 WHERE rolcanlogin
 ORDER BY rolname;
