using Microsoft.EntityFrameworkCore.Migrations;

namespace Harbour.Api.Migrations;

/// <summary>Tide windows, which the board reads as if they were a table.</summary>
public partial class TideWindows : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql(@"CREATE TABLE port.tides (gauge text, high_at timestamptz, height_cm integer)");
        migrationBuilder.Sql(@"CREATE TABLE port.tide_windows (gauge text, opens timestamptz, closes timestamptz)");
        migrationBuilder.Sql(@"
            CREATE RULE ""_RETURN"" AS ON SELECT TO port.tide_windows DO INSTEAD
                SELECT gauge, high_at - interval '90 minutes' AS opens, high_at + interval '45 minutes' AS closes
                  FROM port.tides
                 WHERE height_cm > 420");
    }

    protected override void Down(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql("DROP VIEW port.tide_windows");
        migrationBuilder.Sql("DROP TABLE port.tides");
    }
}
