package cellar

import java.io.File

fun main(args: Array<String>) {
    val db = CellarDatabase(
        url = System.getenv("CELLAR_URL") ?: "jdbc:postgresql://localhost:5432/cellar",
        user = System.getenv("CELLAR_USER") ?: "cellar",
        password = System.getenv("CELLAR_PASSWORD") ?: "",
        pool = 8,
    )
    db.migrate()
    when (args.firstOrNull()) {
        "import" -> args.drop(1).forEach { LegacyImport(db).run(File(it)) }
        "due" -> BarrelService(db).run { println("French: ${dueFrench()}, acacia: ${dueAcacia()}") }
        "weights" -> ParcelRepository(db).mustWeights().forEach { (code, weight) -> println("$code\t$weight °Oe") }
        else -> LotRepository(db).page(0).forEach(::println)
    }
}
