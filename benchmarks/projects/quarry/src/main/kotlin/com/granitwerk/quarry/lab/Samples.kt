package com.granitwerk.quarry.lab

import com.granitwerk.quarry.db.Database
import org.jooq.Record
import org.jooq.Result
import java.time.LocalDate

class Samples(private val db: Database) {

    fun wet(limit: Double): Result<Record> = db.dsl.fetch(
        """
        SELECT s.id, s.taken_on,
               public.json_value(s.doc, 'moisture')::numeric AS moisture
          FROM lab_samples s
         WHERE public.json_value(s.doc, 'moisture')::float8 > ?
         ORDER BY s.id
        """,
        limit,
    )

    fun fines(material: Long): Result<Record> = db.dsl.fetch(
        """
        SELECT s.id,
               s.taken_on,
               json_value(s.doc, 'fines') AS fines
          FROM lab_samples s
         WHERE s.material_id = ?
         ORDER BY s.taken_on
        """,
        material,
    )


    fun flat(): Result<Record> = db.dsl.fetch(
        "SELECT s.id, s.doc ->> 'flakiness' AS json_value FROM lab_samples s WHERE s.doc -> 'flakiness' IS NOT NULL ORDER BY s.id",
    )

    fun externalLabs(): Result<Record> = db.dsl.fetch(
        """
        SELECT DISTINCT jsonb_extract_path_text(s.doc, 'lab') AS lab
          FROM lab_samples s
         WHERE s.doc @> '{"lab": "MPA"}'
         ORDER BY 1
        """,
    )

    fun add(material: Long, day: LocalDate, doc: String): Int = db.dsl.execute(
        "INSERT INTO lab_samples (material_id, taken_on, doc) VALUES (?, ?, ?::jsonb)",
        material, day, doc,
    )

    fun export(): Result<Record> = db.dsl.fetch(
        "SELECT jsonb_build_object('id', s.id, 'code', s.code, 'json_value', s.moisture) AS line FROM v_samples s ORDER BY s.id",
    )
}
