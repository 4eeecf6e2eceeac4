-- Calls of the radio console, see bin/import_radio.sh
CREATE TABLE radio_calls (
    unit        text NOT NULL,
    started     timestamptz NOT NULL,
    incident_id bigint REFERENCES incidents
);
CREATE INDEX radio_calls_started_idx ON radio_calls (started) WITH (fillfactor = 90);
