-- Desktop and inline printers that finish variable data (serials, best-before dates).

-- CreateTable
CREATE TABLE "sites" (
    "id" SERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "network" CIDR NOT NULL,

    CONSTRAINT "sites_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sites_network_excl" EXCLUDE USING gist ("network" inet_ops WITH &&)
);
CREATE UNIQUE INDEX "sites_code_key" ON "sites"("code");

-- CreateTable
CREATE TABLE "presses" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "colors" INTEGER NOT NULL,
    "meters_per_minute" INTEGER NOT NULL,

    CONSTRAINT "presses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label_printers" (
    "id" SERIAL NOT NULL,
    "site_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "address" INET NOT NULL,
    "dpi" INTEGER NOT NULL DEFAULT 300,

    CONSTRAINT "label_printers_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "label_printers_address_idx" ON "label_printers" USING gist ("address" inet_ops);
CREATE UNIQUE INDEX "label_printers_address_key" ON "label_printers"("address");

-- An address is handed to one printer at a time.
CREATE TABLE "printer_leases" (
    "id" SERIAL NOT NULL,
    "printer_id" INTEGER NOT NULL,
    "address" INET NOT NULL,
    "held" TSTZRANGE NOT NULL,

    CONSTRAINT "printer_leases_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "printer_leases_one_holder" EXCLUDE USING gist (
        "address" WITH =,
        "held" WITH &&
    )
);

-- A press runs one booking at a time.
CREATE TABLE "press_bookings" (
    "id" SERIAL NOT NULL,
    "press_id" INTEGER NOT NULL,
    "order_line_id" INTEGER,
    "booked" TSTZRANGE NOT NULL,
    "operator" TEXT,

    CONSTRAINT "press_bookings_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "press_bookings_no_overlap" EXCLUDE USING gist (
        "press_id" WITH =,
        "booked" WITH &&
    )
);

-- AddForeignKey
ALTER TABLE "presses" ADD CONSTRAINT "presses_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "label_printers" ADD CONSTRAINT "label_printers_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "printer_leases" ADD CONSTRAINT "printer_leases_printer_id_fkey" FOREIGN KEY ("printer_id") REFERENCES "label_printers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "press_bookings" ADD CONSTRAINT "press_bookings_press_id_fkey" FOREIGN KEY ("press_id") REFERENCES "presses"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "press_bookings" ADD CONSTRAINT "press_bookings_order_line_id_fkey" FOREIGN KEY ("order_line_id") REFERENCES "order_lines"("id") ON DELETE SET NULL ON UPDATE CASCADE;
