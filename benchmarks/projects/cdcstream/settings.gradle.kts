rootProject.name = "cdcstream"
