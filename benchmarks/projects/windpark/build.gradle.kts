plugins {
    kotlin("jvm") version "1.9.24"
    application
}


dependencies {
    implementation("org.jooq:jooq:3.18.14")
    implementation("org.jetbrains.exposed:exposed-core:0.50.1")
    implementation("org.jetbrains.exposed:exposed-jdbc:0.50.1")
    implementation("org.liquibase:liquibase-core:4.27.0")
    implementation("org.postgresql:postgresql:42.7.3")
    implementation("com.zaxxer:HikariCP:5.1.0")
    implementation("org.slf4j:slf4j-api:2.0.13")
    testImplementation(kotlin("test"))
}

application { mainClass.set("eu.skagen.windpark.MainKt") }
