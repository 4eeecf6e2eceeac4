using Microsoft.EntityFrameworkCore.Migrations;

#nullable disable

namespace BakeryDispatch.Migrations
{
    /// <summary>The readings come again from the ovens' own memory if they are lost.</summary>
    public partial class OvenReadingsUnlogged : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.Sql("ALTER TABLE oven_readings SET UNLOGGED;");
            migrationBuilder.Sql("ALTER TABLE oven_readings_2023 SET UNLOGGED;");
            migrationBuilder.Sql("ALTER TABLE baskets SET UNLOGGED;");
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.Sql("ALTER TABLE baskets SET LOGGED;");
        }
    }
}
