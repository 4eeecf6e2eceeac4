package com.granitwerk.quarry.delivery

import com.granitwerk.quarry.db.Database
import org.jooq.Record
import org.jooq.Result

/** Files that the weighbridges write when the network is down. */
class WeighFiles(private val db: Database) {

    fun store(scale: Long, name: String, payload: ByteArray, crc32: String): Int = db.dsl.execute(
        "INSERT INTO weigh_files (scale_id, name, payload, crc32) VALUES (?, ?, ?, ?)",
        scale, name, payload, crc32,
    )

    fun damaged(): Result<Record> = db.dsl.fetch(
        """
        SELECT f.id, f.name
          FROM weigh_files f
         WHERE f.crc32 <> public.crc32(f.payload)
         ORDER BY f.id
        """,
    )

    fun checksums(scale: Long): Result<Record> = db.dsl.fetch(
        """
        SELECT f.id,
               f.name,
               crc32(f.payload) AS checksum
          FROM weigh_files f
         WHERE f.scale_id = ?
         ORDER BY f.id
        """,
        scale,
    )

    fun duplicates(): Result<Record> = db.dsl.fetch(
        "SELECT f.crc32, count(*) AS files FROM weigh_files f GROUP BY f.crc32 HAVING count(*) > 1 ORDER BY 1",
    )

    fun digests(): Result<Record> = db.dsl.fetch(
        "SELECT id, 'crc32' AS kind, length(payload) AS bytes, encode(sha256(payload), 'hex') AS sha FROM weigh_files ORDER BY id",
    )
}
