-- run once by the image, as superuser

-- The kiosk in the foyer: taken over from the old server, nobody knows the password.
CREATE ROLE museum_kiosk LOGIN
    PASSWORD 'md54a1f7e0c2b9d8e6f3a5b7c9d1e2f4a6b';

-- changed at the first login
CREATE ROLE museum_registrar LOGIN PASSWORD 'md5-is-not-a-password';

CREATE ROLE museum_web LOGIN;
CREATE ROLE museum_readers NOLOGIN;
GRANT museum_readers TO museum_kiosk;
