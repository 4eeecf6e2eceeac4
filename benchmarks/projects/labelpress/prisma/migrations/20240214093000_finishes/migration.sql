-- Finish codes come from the portal in any case: GLOSS, gloss, Gloss.
CREATE COLLATION IF NOT EXISTS "caseless" (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

CREATE TABLE "finishes" (
    "code" TEXT COLLATE "caseless" NOT NULL,
    "name" TEXT NOT NULL,
    "surcharge" NUMERIC(6,4) NOT NULL DEFAULT 0,

    CONSTRAINT "finishes_pkey" PRIMARY KEY ("code")
);

CREATE TABLE "finish_prices" (
    "id" SERIAL NOT NULL,
    "finish_code" TEXT COLLATE "caseless" NOT NULL REFERENCES "finishes" ("code"),
    "from_quantity" INTEGER NOT NULL,
    "price_per_1000" NUMERIC(8,2) NOT NULL,

    CONSTRAINT "finish_prices_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "tool_groups" (
    "code" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "tool_groups_pkey" PRIMARY KEY ("code")
);

ALTER TABLE "order_lines" ADD COLUMN "varnish_code" TEXT REFERENCES "finishes" ("code");

ALTER TABLE "dies" ADD COLUMN "group_code" TEXT REFERENCES "tool_groups" ("code");
