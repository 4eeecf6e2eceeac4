-- Tables of the database group. Most were clicked together in pgAdmin III.

CREATE TABLE ops.job_log
(
  id serial NOT NULL,
  job text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp with time zone,
  total_time interval,
  ok boolean,
  CONSTRAINT job_log_pkey PRIMARY KEY (id)
)
WITH (
  OIDS=FALSE
);

CREATE TABLE ops.counters
(
  name text NOT NULL,
  last_value bigint NOT NULL DEFAULT 0,
  increment_by integer NOT NULL DEFAULT 1,
  max_value bigint NOT NULL,
  is_cycled boolean NOT NULL DEFAULT false,
  CONSTRAINT counters_pkey PRIMARY KEY (name)
)
WITH (
  FILLFACTOR=70,
  OIDS=FALSE
);

-- every EDI message as it came in; the converter of the terminal operator keeps the row's oid
CREATE TABLE ops.edi_raw
(
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  sender text NOT NULL,
  message text NOT NULL
)
WITH (
  OIDS=TRUE
);

CREATE TABLE ops.table_inventory
(
  relation regclass NOT NULL,
  seen_on date NOT NULL,
  relhaspkey boolean NOT NULL,
  relhasoids boolean NOT NULL DEFAULT false,
  pages integer,
  CONSTRAINT table_inventory_pkey PRIMARY KEY (relation, seen_on)
);

ALTER TABLE ops.table_inventory SET WITHOUT OIDS;

CREATE TABLE ops.extension_log
(
  seen_on date NOT NULL,
  extname name NOT NULL,
  extowner oid NOT NULL,
  extnamespace oid NOT NULL,
  extrelocatable boolean,
  extversion text,
  extconfig oid[],
  extcondition text[]
);

CREATE TABLE ops.duty_roster
(
  week_of date NOT NULL,
  dba text NOT NULL,
  deputy text,
  CONSTRAINT duty_roster_pkey PRIMARY KEY (week_of)
);

CREATE TABLE ops.retention_rules
(
  parent text NOT NULL,
  keep_months integer NOT NULL CHECK (keep_months > 0),
  note text,
  CONSTRAINT retention_rules_pkey PRIMARY KEY (parent)
);

CREATE INDEX job_log_job_idx ON ops.job_log (job, started_at DESC);

COMMENT ON COLUMN ops.table_inventory.relhaspkey IS 'copied from the monthly inventory';
