using System.Collections.Generic;
using System.Threading.Tasks;
using Dapper;
using Npgsql;

namespace PayHub.Api.Data;

public record SettlementLine(long Id, string Reference, decimal Net);

public record ReconciliationLine(long Id, string Reference, decimal Amount);

public class SettlementReader
{
    private readonly NpgsqlDataSource _source;

    public SettlementReader(NpgsqlDataSource source) => _source = source;

    public async IAsyncEnumerable<SettlementLine> LinesAsync(long merchantId)
    {
        await using var connection = await _source.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await connection.ExecuteAsync("SELECT open_settlement(@merchantId)", new { merchantId });
        while (true)
        {
            var lines = (await connection.QueryAsync<SettlementLine>("FETCH FORWARD 500 FROM settlement")).AsList();
            if (lines.Count == 0)
                yield break;
            foreach (var line in lines)
                yield return line;
        }
    }

    public async Task<List<ReconciliationLine>> ReconciliationAsync(long merchantId)
    {
        await using var connection = await _source.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await connection.ExecuteAsync("SELECT open_reconciliation(@merchantId)", new { merchantId });
        return (await connection.QueryAsync<ReconciliationLine>("FETCH ALL FROM reconciliation")).AsList();
    }
}
