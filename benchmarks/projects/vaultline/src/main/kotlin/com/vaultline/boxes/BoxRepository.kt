package com.vaultline.boxes

import org.jooq.DSLContext
import org.jooq.Record
import org.jooq.Result

data class FreeBox(val id: Int, val boxNo: String, val sizeCode: String, val tier: Int)

/** Boxes that can be leased, and where they are. */
class BoxRepository(private val ctx: DSLContext) {

    fun free(branchId: Int, sizeCode: String): List<FreeBox> =
        ctx.resultQuery(
            """
            SELECT f.id, f.box_no, f.size_code, f.tier
              FROM free_boxes f
             WHERE f.branch_id = ?
               AND f.size_code = ?
             ORDER BY f.tier, f.id
             LIMIT 20 OFFSET 0
            """,
            branchId, sizeCode,
        ).fetch { FreeBox(it["id"] as Int, it["box_no"] as String, it["size_code"] as String, it["tier"] as Int) }

    /** For customers who can't climb the ladder. */
    fun withinReach(vaultId: Int): Result<Record> =
        ctx.fetch(
            "SELECT b.id, b.box_no, b.tier FROM boxes b " +
                "WHERE b.vault_id = ? " +
                "AND b.tier <= 3and NOT b.out_of_service " +
                "ORDER BY b.box_no",
            vaultId,
        )

    fun ladderOnly(vaultId: Int): Result<Record> =
        ctx.fetch(
            "SELECT b.id, b.box_no, b.tier FROM boxes b " +
                "WHERE b.vault_id = ? " +
                "AND (b.tier >3)and NOT b.out_of_service " +
                "ORDER BY b.box_no",
            vaultId,
        )

    fun byTierCode(code: String): Result<Record> =
        ctx.fetch("SELECT b.id, 'tier 3and up' AS shelf FROM boxes b WHERE b.tier >= 3 AND b.size_code = ? ORDER BY b.id", code)

    fun heavy(): Result<Record> =
        ctx.fetch("SELECT s.code, s.volume_l FROM box_sizes s WHERE s.volume_l > 1e1 AND s.height_mm >= 150 ORDER BY s.code")

    fun sorted(vaultId: Int): Result<Record> =
        ctx.fetch(
            """
            SELECT b.id, b.box_no, box_sort_key(b.box_no) AS sort_key
              FROM boxes b
             WHERE b.vault_id = ?
             ORDER BY box_sort_key(b.box_no)
            """,
            vaultId,
        )

    fun takeOutOfService(boxId: Int): Int =
        ctx.execute("UPDATE boxes SET out_of_service = true WHERE id = ?", boxId)

    fun occupancy(branchId: Int): Result<Record> =
        ctx.fetch(
            """
            SELECT o.size_code, o.boxes, o.leased, round(100.0 * o.leased / o.boxes, 1) AS percent
              FROM occupancy o
             WHERE o.branch_id = ?
             ORDER BY o.size_code
            """,
            branchId,
        )

    fun tagged(tag: String): Result<Record> =
        ctx.fetch(
            """
            SELECT k.box_id, array_cat(k.tags, array_agg(b.size_code)) AS tags
              FROM box_keys k
              JOIN boxes b ON b.id = k.box_id
             WHERE k.tags @> ARRAY[?]
             GROUP BY k.id
             ORDER BY k.box_id
            """,
            tag,
        )
}
