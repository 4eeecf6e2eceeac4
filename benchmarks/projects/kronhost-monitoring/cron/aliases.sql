-- Once a month by hand: normalize the aliases, and check what is reserved
UPDATE hosting.website
   SET aliases = hosting.array_sort(aliases)
 WHERE aliases <> '{}';

UPDATE hosting.mailbox m
   SET reserved = true
  FROM hosting.reserved_local_part r
 WHERE r.local_part = m.local_part
   AND NOT m.reserved;
