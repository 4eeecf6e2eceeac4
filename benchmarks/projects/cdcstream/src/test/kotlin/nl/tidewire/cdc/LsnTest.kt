package nl.tidewire.cdc

import kotlin.test.Test
import kotlin.test.assertEquals

class LsnTest {
    private fun parse(text: String): Long {
        val (high, low) = text.split('/')
        return (high.toLong(16) shl 32) or low.toLong(16)
    }

    @Test
    fun `short and long spellings are the same position`() {
        assertEquals(parse("0/16B3748"), parse("0/016B3748"))
    }
}
