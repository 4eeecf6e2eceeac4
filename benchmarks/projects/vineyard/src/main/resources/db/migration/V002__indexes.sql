CREATE INDEX lots_picked ON lots (picked_on DESC NULLS LAST);
CREATE INDEX lots_label_text ON lots (lower(label) text_pattern_ops);

CREATE INDEX barrels_filled ON barrels USING btree (filled_at timestamp_ops);
CREATE INDEX barrels_filled_cooper ON barrels USING btree (cooper, filled_at timestamptz_ops);
CREATE INDEX barrels_emptied ON barrels USING btree (emptied_at timestamp_ops);

-- the cellar app groups by what the form shows
CREATE INDEX barrels_maceration ON barrels ((maceration::text));
CREATE INDEX barrels_volume ON barrels ((volume_l::text));
