package com.vaultline.floor;

import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;

/** What the floor plan shows. Coordinates are centimetres from the door. */
public class FloorPlanDao {

    private static final String IN_ZONE =
        "SELECT z.label, count(*) AS boxes"
      + "  FROM vault_zones z"
      + "  JOIN boxes b ON b.vault_id = z.vault_id"
      + "   AND b.spot @ z.area"
      + " WHERE z.vault_id = ?"
      + " GROUP BY z.label ORDER BY z.label";

    private static final String OUTSIDE =
        "SELECT b.id, b.box_no"
      + "  FROM boxes b"
      + " WHERE b.vault_id = ?"
      + "   AND NOT EXISTS (SELECT 1 FROM vault_zones z WHERE z.vault_id = b.vault_id AND b.spot <@ z.area)"
      + " ORDER BY b.id";

    private static final String WET =
        "SELECT b.id, b.box_no"
      + "  FROM boxes b"
      + "  JOIN vault_zones z ON z.vault_id = b.vault_id"
      + "   AND z.sprinkler @> b.spot"
      + " ORDER BY b.id";

    private static final String CENTRES =
        "SELECT z.id, @@ z.area AS centre, height(z.area) AS height FROM vault_zones z ORDER BY z.id";

    private static final String OFF_NOMINAL =
        "SELECT s.code, @ (s.width_mm - 250) AS off FROM box_sizes s ORDER BY s.code";

    private static final String SEAMS =
        "SELECT z.id, z.area && box '((190,0),(210,300))' AS on_seam FROM vault_zones z ORDER BY z.id";

    private static final String STEPS = "SELECT @-@ path '[(0,0),(20,40),(250,120)]' AS walk";

    private final DSLContext ctx;

    public FloorPlanDao(DSLContext ctx) {
        this.ctx = ctx;
    }

    public Result<Record> boxesPerZone(int vaultId) {
        return ctx.fetch(IN_ZONE, vaultId);
    }

    public Result<Record> outside(int vaultId) {
        return ctx.fetch(OUTSIDE, vaultId);
    }

    public Result<Record> underSprinklers() {
        return ctx.fetch(WET);
    }

    public Result<Record> centres() {
        return ctx.fetch(CENTRES);
    }

    public Result<Record> offNominal() {
        return ctx.fetch(OFF_NOMINAL);
    }

    public Result<Record> seams() {
        return ctx.fetch(SEAMS);
    }

    public double steps() {
        return ctx.fetchOne(STEPS).get("walk", Double.class);
    }

    public Result<Record> nearest(int vaultId, double x, double y) {
        return ctx.fetch(
            "SELECT b.id, b.spot <-> point(?, ?) AS distance FROM boxes b WHERE b.vault_id = ? ORDER BY 2, 1 LIMIT 3",
            x, y, vaultId);
    }
}
