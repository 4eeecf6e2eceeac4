rootProject.name = "vineyard"
