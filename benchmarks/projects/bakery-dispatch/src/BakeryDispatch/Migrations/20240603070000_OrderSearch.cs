using Microsoft.EntityFrameworkCore.Migrations;

#nullable disable

namespace BakeryDispatch.Migrations
{
    public partial class OrderSearch : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.AddColumn<string>(
                name: "entered_by",
                table: "orders",
                type: "character varying(80)",
                nullable: true);

            migrationBuilder.Sql(@"
                CREATE INDEX orders_remark ON orders USING gin (to_tsvector('simple', coalesce(remark, '')));
            ");
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.Sql("DROP INDEX IF EXISTS orders_remark;");
            migrationBuilder.DropColumn(name: "entered_by", table: "orders");
        }
    }
}
