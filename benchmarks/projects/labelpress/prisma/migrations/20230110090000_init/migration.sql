-- CreateExtension
CREATE EXTENSION IF NOT EXISTS "btree_gist";
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE EXTENSION IF NOT EXISTS "unaccent";

-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('quote', 'accepted', 'prepress', 'printing', 'shipped', 'cancelled');
CREATE TYPE "winding" AS ENUM ('outside_head', 'outside_foot', 'inside_head', 'inside_foot');

-- CreateTable
CREATE TABLE "customers" (
    "id" SERIAL NOT NULL,
    "number" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "city" TEXT,
    "country" CHAR(2) NOT NULL DEFAULT 'NL',
    "language" TEXT NOT NULL DEFAULT 'dutch',
    "payment_days" INTEGER NOT NULL DEFAULT 30,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppliers" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "lead_time" INTERVAL NOT NULL DEFAULT '5 days',

    CONSTRAINT "suppliers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "materials" (
    "id" SERIAL NOT NULL,
    "supplier_id" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "adhesive" TEXT NOT NULL,
    "grams_per_m2" NUMERIC(6,1) NOT NULL,
    "price_per_m2" NUMERIC(8,4) NOT NULL,

    CONSTRAINT "materials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rolls" (
    "id" SERIAL NOT NULL,
    "material_id" INTEGER NOT NULL,
    "lot_code" TEXT NOT NULL,
    "width_mm" INTEGER NOT NULL,
    "meters" NUMERIC(9,1) NOT NULL,
    "received_on" DATE NOT NULL,
    "quarantined" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "rolls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dies" (
    "id" SERIAL NOT NULL,
    "code" TEXT NOT NULL,
    "shape" TEXT NOT NULL,
    "width_mm" NUMERIC(6,2) NOT NULL,
    "height_mm" NUMERIC(6,2) NOT NULL,
    "area_mm2" NUMERIC(12,4) GENERATED ALWAYS AS ("width_mm" * "height_mm") STORED,
    "lanes" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "dies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artworks" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "sha256" BYTEA,
    "uploaded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artworks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label_orders" (
    "id" SERIAL NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "reference" TEXT NOT NULL,
    "status" "order_status" NOT NULL DEFAULT 'quote',
    "placed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_on" DATE,
    "remark" TEXT,
    "total" NUMERIC(12,2) NOT NULL DEFAULT 0,

    CONSTRAINT "label_orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_lines" (
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "artwork_id" INTEGER NOT NULL,
    "material_id" INTEGER NOT NULL,
    "die_id" INTEGER NOT NULL,
    "sku" TEXT NOT NULL,
    "print_text" TEXT NOT NULL DEFAULT '',
    "quantity" INTEGER NOT NULL,
    "unit_price" NUMERIC(10,4) NOT NULL,
    "winding" "winding" NOT NULL DEFAULT 'outside_head',
    "spec" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "order_lines_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "order_lines_quantity_check" CHECK ("quantity" > 0)
);

-- CreateTable
CREATE TABLE "proofs" (
    "id" SERIAL NOT NULL,
    "order_line_id" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(3),
    "approved" BOOLEAN,
    "comment" TEXT,

    CONSTRAINT "proofs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shipments" (
    "id" SERIAL NOT NULL,
    "order_id" INTEGER NOT NULL,
    "carrier" TEXT NOT NULL,
    "tracking" TEXT,
    "boxes" INTEGER NOT NULL DEFAULT 1,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "shipments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "system_user" TEXT NOT NULL,
    "detail" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "customers_number_key" ON "customers"("number");
CREATE UNIQUE INDEX "materials_code_key" ON "materials"("code");
CREATE UNIQUE INDEX "dies_code_key" ON "dies"("code");
CREATE UNIQUE INDEX "label_orders_reference_key" ON "label_orders"("reference");
CREATE INDEX "label_orders_status_due_on_idx" ON "label_orders"("status", "due_on");
CREATE INDEX "order_lines_order_id_idx" ON "order_lines"("order_id");
CREATE INDEX "audit_entries_entity_entity_id_idx" ON "audit_entries"("entity", "entity_id");
CREATE INDEX "customers_name_trgm_idx" ON "customers" USING gin ("name" gin_trgm_ops);

-- AddForeignKey
ALTER TABLE "materials" ADD CONSTRAINT "materials_supplier_id_fkey" FOREIGN KEY ("supplier_id") REFERENCES "suppliers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "rolls" ADD CONSTRAINT "rolls_material_id_fkey" FOREIGN KEY ("material_id") REFERENCES "materials"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "artworks" ADD CONSTRAINT "artworks_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "label_orders" ADD CONSTRAINT "label_orders_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "label_orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_artwork_id_fkey" FOREIGN KEY ("artwork_id") REFERENCES "artworks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_material_id_fkey" FOREIGN KEY ("material_id") REFERENCES "materials"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_die_id_fkey" FOREIGN KEY ("die_id") REFERENCES "dies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_order_line_id_fkey" FOREIGN KEY ("order_line_id") REFERENCES "order_lines"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "label_orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
