using Microsoft.EntityFrameworkCore.Migrations;

#nullable disable

namespace BakeryDispatch.Migrations
{
    public partial class DeliveryWindowKeys : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.Sql(@"
                CREATE UNIQUE INDEX delivery_windows_pkey ON delivery_windows (customer_id, weekday) NULLS NOT DISTINCT;
                ALTER TABLE delivery_windows ADD PRIMARY KEY USING INDEX delivery_windows_pkey;
            ");

            // one tour without a van at most
            migrationBuilder.Sql(@"
                ALTER TABLE tours ADD CONSTRAINT tours_van UNIQUE NULLS NOT DISTINCT (van, leaves_at);
            ");
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.Sql("ALTER TABLE delivery_windows DROP CONSTRAINT IF EXISTS delivery_windows_pkey;");
            migrationBuilder.Sql("ALTER TABLE tours DROP CONSTRAINT IF EXISTS tours_van;");
        }
    }
}
