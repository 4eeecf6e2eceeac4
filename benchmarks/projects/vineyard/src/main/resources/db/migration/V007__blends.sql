-- A barrel may hold a blend now, so that it has no single lot.
CREATE TABLE blends (
    barrel_id   integer NOT NULL REFERENCES barrels ON DELETE CASCADE,
    lot_no      integer NOT NULL,
    vintage     smallint NOT NULL,
    share       numeric(4,3) NOT NULL CHECK (share > 0 AND share <= 1),
    PRIMARY KEY (barrel_id, lot_no, vintage),
    CONSTRAINT blends_lot FOREIGN KEY (lot_no, vintage) REFERENCES lots
);

INSERT INTO blends (barrel_id, lot_no, vintage, share)
SELECT id, lot_no, vintage, 1 FROM barrels WHERE lot_no IS NOT NULL;

ALTER TABLE barrels
    DROP CONSTRAINT barrels_lot_no_fkey;

ALTER TABLE price_lists
    DROP CONSTRAINT price_lists_price_id_fkey,
    ADD CONSTRAINT price_lists_price FOREIGN KEY (price_id) REFERENCES prices ON DELETE CASCADE;
