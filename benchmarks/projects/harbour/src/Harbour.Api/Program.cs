using Harbour.Api.Data;
using Harbour.Api.Monitoring;
using Harbour.Api.Queries;
using Microsoft.EntityFrameworkCore;
using Npgsql;

var builder = WebApplication.CreateBuilder(args);
var connectionString = builder.Configuration.GetConnectionString("Harbour")!;

builder.Services.AddSingleton(NpgsqlDataSource.Create(connectionString));
builder.Services.AddScoped<OperatorInterceptor>();
builder.Services.AddDbContext<HarbourContext>((services, options) => options
    .UseNpgsql(connectionString)
    .AddInterceptors(services.GetRequiredService<OperatorInterceptor>()));
builder.Services.AddScoped<PlanningBoard>();
builder.Services.AddScoped<CallStatistics>();
builder.Services.AddScoped<AuditTrail>();
builder.Services.AddHealthChecks().AddCheck<DatabaseHealth>("database");
builder.Services.AddHttpContextAccessor();

var app = builder.Build();
app.MapHealthChecks("/health");
app.MapGet("/berths/free", (PlanningBoard board, int length, decimal draught) => board.FreeBerths(length, draught));
app.MapGet("/berths/{id:int}/occupied", (PlanningBoard board, int id) => board.VesselsInBasin(id));
app.MapGet("/statistics/arrivals", (CallStatistics statistics) => statistics.ArrivalsByHour());
app.MapGet("/calls/{id:long}/history", (AuditTrail trail, long id) => trail.History(id));
app.Run();
