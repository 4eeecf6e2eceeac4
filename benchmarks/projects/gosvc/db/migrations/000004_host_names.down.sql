DROP INDEX leases_host_sort, leases_host_key;
DROP FUNCTION host_sort(text), host_key(text), strip_domain(text);
