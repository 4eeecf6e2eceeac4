package eu.skagen.windpark.turbine

import org.jooq.DSLContext
import org.jooq.Record

class TurbineRepository(private val dsl: DSLContext) {

    fun byCode(code: String): Record? =
        dsl.fetchOne("SELECT id, code, rated_kw, commissioned FROM park.turbine WHERE code = ?", code)

    /** Turbines that stand outside of the field that they belong to, by a wrong survey. */
    fun misplaced(): List<String> =
        dsl.fetch(
            """
            SELECT t.code
              FROM park.turbine t
              JOIN park.field f ON f.id = t.field_id
             WHERE NOT t.position <@ f.boundary
             ORDER BY t.code
            """
        ).getValues("code", String::class.java)

    fun inField(name: String): List<String> =
        dsl.fetch(
            """
            SELECT t.code
              FROM park.turbine t
              JOIN park.field f ON t.position @ f.boundary
             WHERE f.name = ?
             ORDER BY t.code
            """,
            name
        ).getValues("code", String::class.java)

    fun nearest(x: Double, y: Double, limit: Int): List<Record> =
        dsl.fetch(
            """
            SELECT t.code, t.position <-> point(?, ?) AS distance
              FROM park.turbine t
             ORDER BY t.position <-> point(?, ?)
             LIMIT ?
            """,
            x, y, x, y, limit
        )

    fun offshore(): List<Record> =
        dsl.fetch("SELECT t.id, t.code FROM park.turbine t WHERE t.code ~ '^WT-2' ORDER BY t.id")

    fun manualPitch(): List<Record> =
        dsl.fetch("SELECT t.code FROM park.turbine t WHERE t.settings @> '{\"pitch\": {\"mode\": \"manual\"}}'")

    fun pitchMode(id: Long): String? =
        dsl.fetchValue("SELECT park.json_value(settings, '{pitch,mode}') FROM park.turbine WHERE id = ?", id) as String?

    fun idsByField(): List<Record> =
        dsl.fetch("SELECT field_id, park.collect_ids(id ORDER BY id) AS turbines FROM park.turbine GROUP BY field_id")
}
