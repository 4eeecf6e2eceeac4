package com.granitwerk.quarry

import com.granitwerk.quarry.db.Database
import com.granitwerk.quarry.delivery.deliveryRoutes
import com.granitwerk.quarry.ops.operationsRoutes
import io.ktor.server.application.Application
import io.ktor.server.netty.EngineMain
import io.ktor.server.routing.routing

fun main(args: Array<String>) = EngineMain.main(args)

fun Application.module() {
    val database = Database.fromConfig(environment.config)
    database.migrate()
    routing {
        deliveryRoutes(database)
        operationsRoutes(database)
    }
}
