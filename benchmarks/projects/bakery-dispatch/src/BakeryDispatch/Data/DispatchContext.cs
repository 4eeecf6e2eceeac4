using BakeryDispatch.Domain;
using Microsoft.EntityFrameworkCore;

namespace BakeryDispatch.Data;

public class DispatchContext(DbContextOptions<DispatchContext> options) : DbContext(options)
{
    public DbSet<Order> Orders => Set<Order>();

    protected override void OnModelCreating(ModelBuilder model)
    {
        var order = model.Entity<Order>().ToTable("orders");
        order.Property(o => o.Id).HasColumnName("id");
        order.Property(o => o.CustomerId).HasColumnName("customer_id");
        order.Property(o => o.DeliverOn).HasColumnName("deliver_on");
        order.Property(o => o.Status).HasColumnName("status").HasMaxLength(12);
        order.Property(o => o.Remark).HasColumnName("remark");
        order.Ignore(o => o.Lines);
    }
}
