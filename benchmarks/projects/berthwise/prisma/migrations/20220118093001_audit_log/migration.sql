-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    "event_id" UUID NOT NULL,
    "system_user" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "row_count" INTEGER
) PARTITION BY RANGE ("created_at");

CREATE TABLE "audit_log_2022" PARTITION OF "audit_log" FOR VALUES FROM ('2022-01-01') TO ('2023-01-01');
CREATE TABLE "audit_log_2023" PARTITION OF "audit_log" FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE TABLE "audit_log_rest" PARTITION OF "audit_log" DEFAULT;

CREATE FUNCTION "audit_log_stamp"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.action := lower(NEW.action);
    RETURN NEW;
END
$$;

CREATE TRIGGER "stamp" BEFORE INSERT ON "audit_log"
    FOR EACH ROW EXECUTE FUNCTION "audit_log_stamp"();

CREATE FUNCTION "bookings_touch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.note := nullif(trim(NEW.note), '');
    RETURN NEW;
END
$$;

CREATE TRIGGER "touch" BEFORE INSERT OR UPDATE ON "bookings"
    FOR EACH ROW EXECUTE FUNCTION "bookings_touch"();
