CREATE TABLE bottlings (
    id          serial PRIMARY KEY,
    lot_no      integer NOT NULL,
    vintage     smallint NOT NULL,
    bottled_on  date NOT NULL,
    bottles     integer NOT NULL,
    CONSTRAINT bottlings_lot FOREIGN KEY (lot_no, vintage) REFERENCES lots
);

-- was a table that a nightly job filled; clients still expect the name
CREATE TABLE stock_by_vintage (
    vintage     smallint,
    bottles     bigint
);
CREATE RULE "_RETURN" AS ON SELECT TO stock_by_vintage DO INSTEAD
    SELECT vintage, sum(bottles) AS bottles
      FROM bottlings
     GROUP BY vintage;

CREATE VIEW stock_by_lot AS
    SELECT lot_no, vintage, sum(bottles) AS bottles
      FROM bottlings
     GROUP BY lot_no, vintage;

-- magnums count double
CREATE OR REPLACE RULE "_RETURN" AS ON SELECT TO stock_by_lot DO INSTEAD
    SELECT b.lot_no, b.vintage, sum(b.bottles * CASE WHEN p.format_ml = 1500 THEN 2 ELSE 1 END) AS bottles
      FROM bottlings b
      LEFT JOIN prices p ON p.lot_no = b.lot_no AND p.vintage = b.vintage
     GROUP BY b.lot_no, b.vintage;
