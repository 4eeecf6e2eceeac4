package com.granitwerk.quarry.delivery

import com.granitwerk.quarry.db.Database
import io.ktor.server.application.call
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.route
import java.time.LocalDate

fun Route.deliveryRoutes(database: Database) {
    val deliveries = Deliveries(database)
    val weighFiles = WeighFiles(database)
    route("/deliveries") {
        get("/{day}") {
            val day = LocalDate.parse(call.parameters["day"])
            call.respondText(deliveries.ofDay(day).formatJSON())
        }
        get("/scales") { call.respondText(deliveries.byScale().formatJSON()) }
        get("/accounts") { call.respondText(deliveries.accounts().formatJSON()) }
    }
    route("/weigh-files") {
        get("/damaged") { call.respondText(weighFiles.damaged().formatJSON()) }
    }
}
