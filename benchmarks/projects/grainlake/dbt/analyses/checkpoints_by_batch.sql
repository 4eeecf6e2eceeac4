-- how many checkpoints the loads caused
select
    b.source,
    sum(b.checkpoints_req) as checkpoints_req,
    sum(b.wal_write) as wal_write,
    count(b.parent) as retries
from etl.batches b
group by b.source
