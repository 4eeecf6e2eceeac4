package library

import org.jetbrains.exposed.sql.transactions.TransactionManager

class Repo {
    fun search(words: String) = exec(
        """
        SELECT id FROM library.books
         WHERE to_tsvector('simple', title) @@ to_tsquery('simple', 'fat:ab & "new york"')
        """
    )

    fun plain(words: String) = exec("SELECT id FROM library.books WHERE title ILIKE '%to_tsquery%'")

    fun overdue() = exec("""
        SELECT b.id, EXTRACT(EPOCH FROM now() - b.bought::timestamptz) AS seconds
          FROM library.books b
    """)

    fun overdueDays() = exec("SELECT now()::date - bought AS days FROM library.books")

    fun typed() = exec("SELECT id FROM library.books WHERE title IS OF (text)")

    fun typedByName() = exec("SELECT id FROM library.books WHERE pg_typeof(title) = 'text'::regtype")

    fun kinds() = exec("SELECT id FROM library.books WHERE kind = '\u00e4'")

    fun seeded() {
        exec("SELECT setseed(0.5)")
        exec("SELECT id FROM library.books ORDER BY random() LIMIT 1")
    }

    fun isBackup() = exec("SELECT pg_is_in_backup()")

    fun isRecovery() = exec("SELECT pg_is_in_recovery()")

    fun log() = println("SELECT pg_is_in_backup() is gone")

    fun currency() = exec("SELECT currtid('library.books'::regclass::oid, '(0,1)'::tid)")

    private fun exec(sql: String) = TransactionManager.current().exec(sql) { it }
}
