-- CreateTable
CREATE TABLE "requests" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL,
    "placed_at" TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "shipped_at" TIMESTAMPTZ,

    CONSTRAINT "requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_lines" (
    "request_id" INTEGER NOT NULL,
    "accession_id" INTEGER NOT NULL,
    "seeds" INTEGER NOT NULL,

    CONSTRAINT "request_lines_pkey" PRIMARY KEY ("request_id","accession_id"),
    CONSTRAINT "request_lines_seeds_check" CHECK ("seeds" BETWEEN 1 AND 500)
);

-- AddForeignKey
ALTER TABLE "requests" ADD CONSTRAINT "requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "request_lines" ADD CONSTRAINT "request_lines_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "request_lines" ADD CONSTRAINT "request_lines_accession_id_fkey" FOREIGN KEY ("accession_id") REFERENCES "accessions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Stock goes down when a line is added
CREATE FUNCTION "take_from_stock"() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "accessions" SET "seed_count" = "seed_count" - NEW."seeds" WHERE "id" = NEW."accession_id";
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no accession %', NEW."accession_id";
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER "request_lines_stock" AFTER INSERT ON "request_lines"
    FOR EACH ROW EXECUTE FUNCTION "take_from_stock"();
