-- CreateEnum
CREATE TYPE "booking_status" AS ENUM ('requested', 'confirmed', 'arrived', 'departed', 'cancelled');

-- CreateTable
CREATE TABLE "marinas" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'Europe/Copenhagen',
    "lc_collate" TEXT NOT NULL DEFAULT 'da-DK',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "marinas_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "owners" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "valid_until" TIMESTAMPTZ(3) NOT NULL DEFAULT 'infinity'::timestamptz,

    CONSTRAINT "owners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "berths" (
    "id" SERIAL NOT NULL,
    "marina_id" UUID NOT NULL,
    "pontoon" TEXT NOT NULL,
    "berth_no" INTEGER NOT NULL,
    "length_m" DECIMAL(5,2) NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "berths_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "boats" (
    "id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "registration" TEXT NOT NULL,
    "length_m" DECIMAL(5,2) NOT NULL,
    "hull" JSONB NOT NULL DEFAULT '{}',
    "tags" TEXT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "boats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bookings" (
    "id" UUID NOT NULL,
    "berth_id" INTEGER NOT NULL,
    "boat_id" UUID NOT NULL,
    "status" "booking_status" NOT NULL DEFAULT 'requested',
    "arrives" DATE NOT NULL,
    "departs" DATE NOT NULL,
    "note" TEXT,

    CONSTRAINT "bookings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "marinas_code_key" ON "marinas"("code");
CREATE UNIQUE INDEX "owners_email_key" ON "owners"(lower("email"));
CREATE INDEX "berths_berth_no_text_idx" ON "berths" (("berth_no"::text) text_pattern_ops);
CREATE INDEX "boats_tags_idx" ON "boats" USING GIN (array_to_tsvector("tags"));

-- AddForeignKey
ALTER TABLE "berths" ADD CONSTRAINT "berths_marina_id_fkey" FOREIGN KEY ("marina_id") REFERENCES "marinas"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "boats" ADD CONSTRAINT "boats_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_berth_id_fkey" FOREIGN KEY ("berth_id") REFERENCES "berths"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_boat_id_fkey" FOREIGN KEY ("boat_id") REFERENCES "boats"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
