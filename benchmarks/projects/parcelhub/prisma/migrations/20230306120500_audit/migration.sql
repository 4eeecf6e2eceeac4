-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "detail" JSONB,
    "db_user" TEXT NOT NULL DEFAULT session_user,
    "tenant" TEXT DEFAULT current_setting('app.tenant_id', true),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hub_devices" (
    "id" SERIAL NOT NULL,
    "hub_id" INTEGER NOT NULL,
    "serial" TEXT NOT NULL,
    "system_user" TEXT NOT NULL DEFAULT 'scanner',
    "system_user_id" INTEGER,
    "last_seen" TIMESTAMPTZ(3),

    CONSTRAINT "hub_devices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entries_entity_entity_id_idx" ON "audit_entries"("entity", "entity_id");

ALTER TABLE "hub_devices" ADD CONSTRAINT "hub_devices_hub_id_fkey" FOREIGN KEY ("hub_id") REFERENCES "hubs"("id") ON DELETE CASCADE;

-- The account of the handheld that made the change, if it wasn't a person
ALTER TABLE audit_entries ADD COLUMN system_user text;

CREATE FUNCTION audit_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_entries (entity, entity_id, action, detail)
    VALUES ('claim', NEW.id, lower(TG_OP), to_jsonb(NEW));
    RETURN NEW;
END
$$;

CREATE TRIGGER claims_audit AFTER INSERT OR UPDATE ON claims FOR EACH ROW EXECUTE FUNCTION audit_claim();

-- For webhook bodies with keys in the old spelling
CREATE FUNCTION public.json_value(doc jsonb, key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(doc ->> key, doc ->> lower(key))
$$;
