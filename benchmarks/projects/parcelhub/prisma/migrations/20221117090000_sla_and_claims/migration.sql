-- CreateTable
CREATE TABLE "sla_rules" (
    "id" SERIAL NOT NULL,
    "carrier_id" INTEGER NOT NULL,
    "service" TEXT NOT NULL,
    "max_transit" INTERVAL NOT NULL,
    "grace" INTERVAL NOT NULL DEFAULT '2 hours',
    "level" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sla_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "claims" (
    "id" SERIAL NOT NULL,
    "parcel_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "amount" DECIMAL(10,2) NOT NULL,
    "opened_on" DATE NOT NULL,
    "closed_on" DATE,
    "handler" TEXT,

    CONSTRAINT "claims_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holidays" (
    "day" DATE NOT NULL,
    "label" TEXT NOT NULL,

    CONSTRAINT "holidays_pkey" PRIMARY KEY ("day")
);

-- CreateIndex
CREATE INDEX "sla_rules_grace_idx" ON "sla_rules"("grace");

-- CreateIndex: the tariff import finds a rule by service and printed duration
CREATE INDEX sla_rules_import_key_idx ON sla_rules (lower(service), (max_transit::text));

-- CreateIndex
CREATE INDEX sla_rules_hours_idx ON sla_rules (date_part('hour', max_transit));

-- CreateIndex
CREATE INDEX sla_rules_level_text_idx ON sla_rules ((level::text));

-- AddForeignKey
ALTER TABLE "sla_rules" ADD CONSTRAINT "sla_rules_carrier_id_fkey" FOREIGN KEY ("carrier_id") REFERENCES "carriers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "claims" ADD CONSTRAINT "claims_parcel_id_fkey" FOREIGN KEY ("parcel_id") REFERENCES "parcels"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "claims" ADD CONSTRAINT "claims_amount_check" CHECK (amount > 0 AND closed_on >= opened_on);

-- Transit times don't count Sundays and holidays
CREATE FUNCTION date_add(start_at timestamptz, transit interval) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
    due timestamptz := start_at + transit;
BEGIN
    WHILE date_part('isodow', due) = 7 OR due::date IN (SELECT h.day FROM holidays h) LOOP
        due := due + interval '1 day';
    END LOOP;
    RETURN due;
END
$$;

-- The same for claims, in working days
CREATE FUNCTION date_add(start_on date, workdays integer) RETURNS date LANGUAGE plpgsql STABLE AS $$
DECLARE
    due date := start_on;
    remaining integer := workdays;
BEGIN
    WHILE remaining > 0 LOOP
        due := due + 1;
        IF date_part('isodow', due) < 6 AND due NOT IN (SELECT h.day FROM holidays h) THEN
            remaining := remaining - 1;
        END IF;
    END LOOP;
    RETURN due;
END
$$;

CREATE VIEW open_claims AS
 SELECT cl.id,
        p.tracking_no,
        cl.amount,
        cl.opened_on,
        date_add(cl.opened_on, 10) AS answer_by
   FROM claims cl
   JOIN parcels p ON p.id = cl.parcel_id
  WHERE cl.closed_on IS NULL;
