namespace BakeryDispatch.Domain;

public class Order
{
    public long Id { get; set; }
    public long CustomerId { get; set; }
    public DateOnly DeliverOn { get; set; }
    public string Status { get; set; } = "open";
    public string? Remark { get; set; }
    public List<OrderLine> Lines { get; set; } = [];
}

public record OrderLine(int Line, long ProductId, int Pieces, int PriceCents);

public record PlannedProduct(string Sku, string Name, long Pieces, decimal DoughKg);
