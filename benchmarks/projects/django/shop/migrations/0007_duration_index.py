from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("shop", "0006_order_lasts")]
    operations = [
        migrations.RunSQL(
            sql="CREATE INDEX shop_order_lasts ON shop_order ((lasts::text))",
            reverse_sql="DROP INDEX shop_order_lasts",
        ),
        migrations.RunSQL("CREATE INDEX shop_order_hours ON shop_order ((date_part('epoch', lasts)))"),
        migrations.RunSQL("CREATE INDEX shop_order_total ON shop_order ((total::text))"),
    ]
