-- trigger names after the table, as the linter wants them
ALTER TRIGGER "touch" ON "bookings" RENAME TO "bookings_touch";

ALTER TRIGGER "stamp" ON "audit_log_2022" RENAME TO "audit_log_2022_stamp";
