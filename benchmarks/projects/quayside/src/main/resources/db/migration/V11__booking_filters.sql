-- the booking screen filters by the length as it is displayed
CREATE INDEX stay_booked_text ON stay (status, (booked_for::text));
CREATE INDEX berth_class_text ON berth ((berth_class::text), number);

ALTER TABLE stay ADD COLUMN note text;
ALTER TABLE stay ADD COLUMN note_by text DEFAULT current_user;
