using Dapper;
using Npgsql;

namespace BakeryDispatch.Data;

public class ProductRepository(NpgsqlDataSource source)
{
    /// <summary>For the labels: an allergen that two ingredients have is printed once.</summary>
    public async Task<string[]> Allergens(long product)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<string[]>(
            @"SELECT array_sort(array_agg(i.allergen))
                FROM recipe_lines r
                JOIN ingredients i ON i.id = r.ingredient_id
               WHERE r.product_id = @product",
            new { product }) ?? [];
    }

    /// <summary>Of all products of a customer's order.</summary>
    public async Task<string[]> AllergensOfOrder(long order)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<string[]>(
            @"SELECT public.array_sort(array_agg(i.allergen))
                FROM order_lines l
                JOIN recipe_lines r USING (product_id)
                JOIN ingredients i ON i.id = r.ingredient_id
               WHERE l.order_id = @order",
            new { order }) ?? [];
    }

    public async Task<IEnumerable<dynamic>> CategoryTree()
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync(
            "SELECT id, name, parent, level FROM categories WHERE level > 0 OR parent IS NULL ORDER BY level, name");
    }

    public async Task<string> AsJson(long product)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<string>(
            @"SELECT json_build_array(sku, name, weight_g)::text FROM products WHERE id = @product",
            new { product }) ?? "[]";
    }
}
