using System;
using System.Reflection;
using DbUp;

namespace PayHub.Migrations;

public static class Program
{
    public static int Main(string[] args)
    {
        var connectionString = args.Length > 0
            ? args[0]
            : Environment.GetEnvironmentVariable("PAYHUB_DB") ?? "Host=localhost;Database=payhub;Username=payhub_owner";

        EnsureDatabase.For.PostgresqlDatabase(connectionString);

        var upgrader = DeployChanges.To
            .PostgresqlDatabase(connectionString)
            .WithScriptsEmbeddedInAssembly(Assembly.GetExecutingAssembly())
            .WithTransactionPerScript()
            .LogToConsole()
            .Build();

        var result = upgrader.PerformUpgrade();
        if (!result.Successful)
        {
            Console.Error.WriteLine(result.Error);
            return 1;
        }
        return 0;
    }
}
