package app

import org.jooq.DSLContext

const val HELP = "Set force_parallel_mode to on for tests"

class Documents(private val db: DSLContext) {
    fun authors() = db.fetch("SELECT json_value(body, 'author') FROM doc")
    fun texts() = db.fetch("SELECT json_text(body, 'author') FROM doc")
    fun tags() = db.fetch("SELECT public.json_query(body, 'tags') FROM doc")
    fun last() = db.fetch("SELECT array_reverse(array_agg(title)) FROM doc")
    fun first() = db.fetch("SELECT public.array_reverse(array_agg(title)) FROM doc")
    fun parallel() = db.execute("SET force_parallel_mode = regress")
    fun gather() = db.execute("SET parallel_leader_participation = off")
    fun ago() = db.fetch("SELECT id FROM doc WHERE shown > now() + interval '1 day ago 2 hours'")
    fun back() = db.fetch("SELECT id FROM doc WHERE shown > now() + interval '2 hours 1 day ago'")
    fun shownIn() = db.fetch("SELECT id FROM doc WHERE title = '1 day ago 2 hours'")
}
