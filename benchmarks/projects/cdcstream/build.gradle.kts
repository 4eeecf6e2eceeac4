plugins {
    kotlin("jvm") version "1.9.22"
    id("com.github.johnrengelman.shadow") version "8.1.1"
    application
}

group = "nl.tidewire"
version = "2.7.1"

dependencies {
    implementation("org.jooq:jooq:3.18.7")
    implementation("org.postgresql:postgresql:42.7.1")
    implementation("com.zaxxer:HikariCP:5.1.0")
    implementation("org.apache.kafka:kafka-clients:3.6.1")
    implementation("io.github.microutils:kotlin-logging-jvm:3.0.5")
    testImplementation(kotlin("test"))
}

application {
    mainClass.set("nl.tidewire.cdc.MainKt")
}

kotlin {
    jvmToolchain(17)
}
