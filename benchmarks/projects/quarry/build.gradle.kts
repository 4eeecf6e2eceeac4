plugins {
    kotlin("jvm") version "1.9.24"
    application
}

group = "com.granitwerk"
version = "5.4.0"

dependencies {
    implementation("io.ktor:ktor-server-netty:2.3.11")
    implementation("org.jooq:jooq:3.19.8")
    implementation("org.liquibase:liquibase-core:4.27.0")
    implementation("com.zaxxer:HikariCP:5.1.0")
    runtimeOnly("org.postgresql:postgresql:42.7.3")
}

application {
    mainClass.set("com.granitwerk.quarry.MainKt")
}
