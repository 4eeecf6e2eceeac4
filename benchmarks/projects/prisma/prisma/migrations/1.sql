CREATE TYPE "Status" AS ENUM ('OPEN', 'DONE');
CREATE TABLE "Task" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "status" "Status" NOT NULL DEFAULT 'OPEN',
    "due" TIMESTAMP(3),
    "points" DOUBLE PRECISION,
    "labels" TEXT[],
    "consrc" TEXT,
    CONSTRAINT "Task_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "Audit" ("id" SERIAL PRIMARY KEY, "json_value" JSONB, "at" TIMESTAMPTZ DEFAULT CURRENT_TIMESTAMP);
CREATE UNIQUE INDEX "Task_title_key" ON "Task"("title");
CREATE FUNCTION json_scalar(j jsonb) RETURNS text LANGUAGE sql AS $$ SELECT j #>> '{}' $$;
CREATE FUNCTION json_text(j jsonb) RETURNS text LANGUAGE sql AS $$ SELECT j #>> '{}' $$;
CREATE FUNCTION unprefixed(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT ltrim(t, '_') $$;
CREATE INDEX "Task_key" ON "Task" (lower("title"));
CREATE OR REPLACE FUNCTION finish() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'DONE' AND OLD.status = 'OPEN' THEN
        INSERT INTO "Audit" ("json_value") VALUES (to_jsonb(NEW));
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER finish AFTER UPDATE ON "Task" FOR EACH ROW EXECUTE FUNCTION finish();
