using System.Reflection;
using BakeryDispatch.Data;
using BakeryDispatch.Monitoring;
using BakeryDispatch.Reports;
using DbUp;
using Microsoft.EntityFrameworkCore;
using Npgsql;

var builder = WebApplication.CreateBuilder(args);
var bakery = builder.Configuration.GetConnectionString("Bakery")!;

builder.Services.AddSingleton(NpgsqlDataSource.Create(bakery));
builder.Services.AddDbContext<DispatchContext>(options => options.UseNpgsql(bakery));
builder.Services.AddScoped<OrderRepository>();
builder.Services.AddScoped<ProductRepository>();
builder.Services.AddScoped<ProductionPlan>();
builder.Services.AddHostedService<DatabaseWatch>();

var app = builder.Build();

// 1. the scripts of DbUp (up to 2023), 2. the migrations of EF Core
var result = DeployChanges.To.PostgresqlDatabase(bakery)
    .WithScriptsEmbeddedInAssembly(Assembly.GetExecutingAssembly())
    .LogToConsole()
    .Build()
    .PerformUpgrade();
if (!result.Successful) throw result.Error;

using (var scope = app.Services.CreateScope())
    scope.ServiceProvider.GetRequiredService<DispatchContext>().Database.Migrate();

app.MapGet("/orders/{day}", (DateOnly day, OrderRepository orders) => orders.ForDay(day));
app.MapGet("/plan/{day}", (DateOnly day, ProductionPlan plan) => plan.ForDay(day));
app.MapGet("/products/{id:long}/allergens", (long id, ProductRepository products) => products.Allergens(id));
app.Run();
