DROP TABLE leases;
DROP TABLE subnets;
