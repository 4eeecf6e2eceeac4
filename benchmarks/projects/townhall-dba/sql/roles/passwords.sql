-- New passwords for the technical roles; the hashes come from the vault.
\set kiosk_login th_kiosk
\set backup_login th_backup

-- the terminals of the kiosk use a driver that knows only plain passwords,
-- never write UNENCRYPTED for people
ALTER ROLE :"kiosk_login"
    UNENCRYPTED PASSWORD 'md54a1d3e3c1fd4e5a3e2a7d0d8a9b1c2d3'
    VALID UNTIL '2022-01-01';

ALTER ROLE :"backup_login"
    ENCRYPTED PASSWORD 'md5b9d2c1f0e4a7d6c3b8a5f2e1d0c9b8a7'
    VALID UNTIL '2022-01-01';

ALTER ROLE th_clerk NOLOGIN NOCREATEROLE;

COMMENT ON ROLE th_kiosk IS 'terminals in the hall, password was UNENCRYPTED until 2019';

SELECT rolname::text AS rolname, rolvaliduntil
  FROM pg_roles
 WHERE rolname IN ('th_kiosk', 'th_backup')
 ORDER BY 1;
