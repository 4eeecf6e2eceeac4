-- CreateTable
CREATE TABLE "tariffs" (
    "id" SERIAL NOT NULL,
    "marina_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "stay_length" INTERVAL NOT NULL,
    "grace" INTERVAL NOT NULL DEFAULT interval '1.5 days',
    "price" DECIMAL(10,2) NOT NULL,

    CONSTRAINT "tariffs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leases" (
    "id" SERIAL NOT NULL,
    "berth_id" INTEGER NOT NULL,
    "owner_id" UUID NOT NULL,
    "starts" DATE NOT NULL,
    "term_years" DECIMAL(4,2) NOT NULL,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("id")
);

-- one price per length of stay; '7 days' and '1 week' are the same thing here
CREATE UNIQUE INDEX "tariffs_marina_id_stay_key"
    ON "tariffs" ("marina_id", ("stay_length"::text));

CREATE INDEX "tariffs_stay_length_idx" ON "tariffs" ("stay_length");

-- AddForeignKey
ALTER TABLE "tariffs" ADD CONSTRAINT "tariffs_marina_id_fkey" FOREIGN KEY ("marina_id") REFERENCES "marinas"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "leases" ADD CONSTRAINT "leases_berth_id_fkey" FOREIGN KEY ("berth_id") REFERENCES "berths"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
