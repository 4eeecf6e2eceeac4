namespace WagonYard.Data;

internal static class Hstore
{
    public static string Format(IEnumerable<KeyValuePair<string, string>> pairs) =>
        string.Join(", ", pairs.Select(pair => $"{Quote(pair.Key)}=>{Quote(pair.Value)}"));

    private static string Quote(string text) =>
        '"' + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + '"';
}
