plugins {
    kotlin("jvm") version "1.9.24"
    application
    id("org.flywaydb.flyway") version "9.22.3"
}


val exposed = "0.41.1"

dependencies {
    implementation("org.jetbrains.exposed:exposed-core:$exposed")
    implementation("org.jetbrains.exposed:exposed-dao:$exposed")
    implementation("org.jetbrains.exposed:exposed-jdbc:$exposed")
    implementation("org.jetbrains.exposed:exposed-java-time:$exposed")
    implementation("org.flywaydb:flyway-core:9.22.3")
    implementation("com.zaxxer:HikariCP:5.1.0")
    implementation("org.slf4j:slf4j-simple:2.0.13")
    runtimeOnly("org.postgresql:postgresql:42.7.3")
}

kotlin { jvmToolchain(17) }

application { mainClass.set("cellar.MainKt") }

flyway {
    url = System.getenv("CELLAR_URL")
    user = System.getenv("CELLAR_USER")
    locations = arrayOf("filesystem:src/main/resources/db/migration")
}
