using System.Reflection;
using DbUp;

var connectionString = args.FirstOrDefault() ?? "Host=localhost;Database=payroll;Username=payroll";

var upgrader = DeployChanges.To
    .PostgresqlDatabase(connectionString)
    .WithScriptsEmbeddedInAssembly(Assembly.GetExecutingAssembly())
    .WithTransactionPerScript()
    .LogToConsole()
    .Build();

var result = upgrader.PerformUpgrade();
return result.Successful ? 0 : -1;
