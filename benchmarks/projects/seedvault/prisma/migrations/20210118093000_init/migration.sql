-- CreateExtension
CREATE EXTENSION IF NOT EXISTS "pg_stat_statements";

-- CreateEnum
CREATE TYPE "accession_status" AS ENUM ('received', 'drying', 'banked', 'withdrawn');

-- CreateTable
CREATE TABLE "taxa" (
    "id" SERIAL NOT NULL,
    "scientific_name" TEXT NOT NULL,
    "common_name" TEXT,
    "family" TEXT NOT NULL,
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "taxa_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sites" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "country" CHAR(2) NOT NULL,
    "position" point,
    "elevation_m" INTEGER,

    CONSTRAINT "sites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accessions" (
    "id" SERIAL NOT NULL,
    "accession_no" TEXT NOT NULL,
    "taxon_id" INTEGER NOT NULL,
    "site_id" INTEGER,
    "status" "accession_status" NOT NULL DEFAULT 'received',
    "collected_on" DATE,
    "banked_at" TIMESTAMPTZ,
    "seed_count" INTEGER NOT NULL DEFAULT 0,
    "grade" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "accessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "accessions_number_format" CHECK ("accession_no" ~ '^SV-[0-9]{4}-[0-9]+$')
);

-- CreateTable
CREATE TABLE "germination_tests" (
    "id" SERIAL NOT NULL,
    "accession_id" INTEGER NOT NULL,
    "sown_at" TIMESTAMPTZ NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "sown" INTEGER NOT NULL,
    "germinated" INTEGER NOT NULL DEFAULT 0,
    "total_time" INTEGER,
    "medium" TEXT NOT NULL DEFAULT 'agar',

    CONSTRAINT "germination_tests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "institute" TEXT,
    "system_user" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "taxa_scientific_name_key" ON "taxa"("scientific_name");

-- CreateIndex
CREATE UNIQUE INDEX "accessions_accession_no_key" ON "accessions"("accession_no");

-- CreateIndex
CREATE INDEX "accessions_details_idx" ON "accessions" USING gin ("details");

-- CreateIndex
CREATE INDEX "sites_position_idx" ON "sites" USING gist ("position");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts"("email");

-- AddForeignKey
ALTER TABLE "accessions" ADD CONSTRAINT "accessions_taxon_id_fkey" FOREIGN KEY ("taxon_id") REFERENCES "taxa"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accessions" ADD CONSTRAINT "accessions_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "sites"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "germination_tests" ADD CONSTRAINT "germination_tests_accession_id_fkey" FOREIGN KEY ("accession_id") REFERENCES "accessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
