ALTER TABLE doc_key ADD PRIMARY KEY USING INDEX doc_key_id;
ALTER TABLE doc_tag ADD PRIMARY KEY USING INDEX doc_tag_id;
CREATE TABLE price (amount numeric, gross numeric);
CREATE TABLE net_price (gross numeric GENERATED ALWAYS AS (amount * 1.2) STORED) INHERITS (price);
CREATE TABLE plain_price (gross numeric) INHERITS (price);
