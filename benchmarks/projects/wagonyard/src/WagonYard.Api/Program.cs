using WagonYard.Data;

var builder = WebApplication.CreateBuilder(args);

builder.Services.AddSingleton<IDatabase>(_ =>
    new Database(builder.Configuration.GetConnectionString("WagonYard")));
builder.Services.AddScoped<WagonRepository>();
builder.Services.AddScoped<InspectionRepository>();
builder.Services.AddScoped<PartsRepository>();
builder.Services.AddScoped<WorkOrderRepository>();
builder.Services.AddScoped<StatusQueries>();

var app = builder.Build();

app.MapGet("/wagons/{id:int}", async (int id, WagonRepository wagons) =>
    await wagons.Find(id) is { } wagon ? Results.Ok(wagon) : Results.NotFound());
app.MapGet("/wagons", (string q, WagonRepository wagons) => wagons.Search(q));
app.MapGet("/depots/{id:int}/disc-brakes", (int id, WagonRepository wagons) => wagons.WithDiscBrakes(id));
app.MapGet("/inspections/durations", (DateTime since, InspectionRepository inspections) => inspections.Durations(since));
app.MapGet("/inspections/wear", (InspectionRepository inspections) => inspections.AxleWear());
app.MapGet("/parts", (PartsRepository parts) => parts.All());
app.MapPost("/work-orders", async (NewWorkOrder order, WorkOrderRepository orders) =>
    Results.Created($"/work-orders/{await orders.Open(order.WagonId, order.Priority, order.Notes)}", null));
app.MapGet("/status/aggregates", (StatusQueries status) => status.Aggregates());
app.MapGet("/status/inventory", (StatusQueries status) => status.Inventory());

app.Run();

public sealed record NewWorkOrder(int WagonId, short Priority, string Notes);
