using System.Reflection;
using DbUp;
using DbUp.Engine;

var connectionString = args.FirstOrDefault() ?? Environment.GetEnvironmentVariable("WAGONYARD_DB");
if (string.IsNullOrWhiteSpace(connectionString))
{
    Console.Error.WriteLine("usage: WagonYard.Migrations CONNECTION_STRING");
    return 2;
}

EnsureDatabase.For.PostgresqlDatabase(connectionString);

UpgradeEngine upgrader = DeployChanges.To
    .PostgresqlDatabase(connectionString)
    .WithScriptsEmbeddedInAssembly(Assembly.GetExecutingAssembly())
    .WithTransactionPerScript()
    .WithVariablesDisabled()
    .LogToConsole()
    .Build();

DatabaseUpgradeResult result = upgrader.PerformUpgrade();
if (!result.Successful)
{
    Console.Error.WriteLine(result.Error);
    return 1;
}

Console.WriteLine("schema is up to date");
return 0;
