-- CreateTable: what the drivers' app reports at the end of a tour
CREATE TABLE "route_metrics" (
    "route_id" INTEGER NOT NULL,
    "checkpoints_timed" INTEGER NOT NULL DEFAULT 0,
    "checkpoints_req" INTEGER NOT NULL DEFAULT 0,
    "driven_km" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "idle" INTERVAL NOT NULL DEFAULT '0',

    CONSTRAINT "route_metrics_pkey" PRIMARY KEY ("route_id")
);

ALTER TABLE "route_metrics" ADD CONSTRAINT "route_metrics_route_id_fkey" FOREIGN KEY ("route_id") REFERENCES "routes"("id") ON DELETE CASCADE;

CREATE VIEW route_quality AS
 SELECT r.id AS route_id,
        r.driver,
        m.checkpoints_timed,
        m.checkpoints_req,
        round(100.0 * m.checkpoints_timed / nullif(m.checkpoints_req, 0), 1) AS percent
   FROM routes r
   JOIN route_metrics m ON m.route_id = r.id;

CREATE MATERIALIZED VIEW hub_load AS
 SELECT h.code,
        date_trunc('day', s.scanned_at, 'UTC') AS day,
        count(*) AS scans,
        count(*) FILTER (WHERE s.kind = 'return') AS returns
   FROM hubs h
   JOIN scan_events s ON s.hub_id = h.id
  GROUP BY h.code, date_trunc('day', s.scanned_at, 'UTC');

CREATE UNIQUE INDEX hub_load_key ON hub_load (code, day);

CREATE MATERIALIZED VIEW city_volume AS
 SELECT public.city_key(a.city) AS city, count(*) AS parcels, sum(p.volume_ccm) AS volume_ccm
   FROM parcels p
   JOIN addresses a ON a.id = p.address_id
  GROUP BY public.city_key(a.city);

CREATE FUNCTION refresh_reports() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    REFRESH MATERIALIZED VIEW public.hub_load;
    REFRESH MATERIALIZED VIEW public.city_volume;
END
$$;
