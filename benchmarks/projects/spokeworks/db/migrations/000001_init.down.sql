DROP TABLE work_order;
DROP TABLE bike;
DROP TABLE customer;
DROP TABLE workshop;
DROP TABLE franchisee;
