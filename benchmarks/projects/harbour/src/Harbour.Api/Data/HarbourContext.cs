using Harbour.Api.Models;
using Microsoft.EntityFrameworkCore;

namespace Harbour.Api.Data;

public class HarbourContext : DbContext
{
    public HarbourContext(DbContextOptions<HarbourContext> options) : base(options) { }

    public DbSet<Berth> Berths => Set<Berth>();
    public DbSet<Call> Calls => Set<Call>();

    protected override void OnModelCreating(ModelBuilder model)
    {
        model.HasDefaultSchema("port");
        model.Entity<Berth>().ToTable("berths");
        model.Entity<Call>().ToTable("calls");
    }

    /// <summary>Calls that the authority has to archive: the decree says nine tenths of a year.</summary>
    public IQueryable<Call> Expired() =>
        Calls.FromSqlRaw("""
            SELECT c.*
              FROM port.calls c
             WHERE c.etd < now() - interval '0.9 years'
               AND NOT c.cancelled
            """);

    /// <summary>Calls that arrive by night and need a second pilot.</summary>
    public IQueryable<Call> NightArrivals(DateOnly from) =>
        Calls.FromSqlInterpolated($"""
            SELECT c.*
              FROM port.calls c
             WHERE c.eta_date >= {from}
               AND (extract(hour FROM c.eta)::int >= 22
                    OR extract(hour FROM c.eta)::int < 5)
            """);

    public Task<int> AddTag(int berth, string tag) =>
        Database.ExecuteSqlInterpolatedAsync(
            $"UPDATE port.berths SET tags = array_append(tags, {tag}) WHERE id = {berth}");

    public Task<int> RemoveBreaks(long call) =>
        Database.ExecuteSqlRawAsync(
            "UPDATE port.calls SET remarks = trim(remarks) WHERE id = {0} AND remarks ~ '\\s$'", call);
}
