namespace Harbour.Api.Models;

public class Berth
{
    public int Id { get; set; }
    public string Code { get; set; } = "";
    public string Name { get; set; } = "";
    public int LengthM { get; set; }
    public decimal MaxDraught { get; set; }
    public bool Closed { get; set; }
}

public class Call
{
    public long Id { get; set; }
    public int Imo { get; set; }
    public int? BerthId { get; set; }
    public DateTime Eta { get; set; }
    public DateOnly EtaDate { get; set; }
    public DateTime? Etd { get; set; }
    public TimeSpan? Turnaround { get; set; }
    public string Agent { get; set; } = "";
    public string Remarks { get; set; } = "";
    public bool Cancelled { get; set; }
}

public record ArrivalCount(int Hour, long Calls);

public record AuditEntry(long Id, string Who, DateTime ChangedAt, string Change);
