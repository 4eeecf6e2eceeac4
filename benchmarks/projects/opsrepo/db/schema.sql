-- Inventory of the hosting platform.
-- Applied by provision/inventory-db.sh to an empty database.

SET client_min_messages = warning;
SET check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE SCHEMA monitoring;

---------------------------------------------------------------- customers

CREATE TABLE customer (
    id          serial PRIMARY KEY,
    number      text NOT NULL UNIQUE,
    name        text NOT NULL,
    email       text NOT NULL CHECK (email LIKE '%@%'),
    since       date NOT NULL DEFAULT current_date,
    tags        text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE contract (
    id          serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customer,
    product     text NOT NULL,
    runs        daterange NOT NULL,
    monthly     numeric(10,2) NOT NULL CHECK (monthly >= 0),
    notice      interval NOT NULL DEFAULT '1 month',
    EXCLUDE USING gist (customer_id WITH =, product WITH =, runs WITH &&)
);

---------------------------------------------------------------- hardware

CREATE TABLE datacenter (
    id          serial PRIMARY KEY,
    code        text NOT NULL UNIQUE,
    city        text NOT NULL
);

CREATE TABLE rack (
    id            serial PRIMARY KEY,
    datacenter_id integer NOT NULL REFERENCES datacenter,
    label         text NOT NULL,
    units         smallint NOT NULL DEFAULT 42 CHECK (units BETWEEN 1 AND 60),
    UNIQUE (datacenter_id, label)
);

CREATE TABLE server (
    id           serial PRIMARY KEY,
    rack_id      integer REFERENCES rack,
    hostname     text NOT NULL UNIQUE,
    kind         text NOT NULL CHECK (kind IN ('metal', 'vm', 'container')),
    cores        integer NOT NULL,
    memory_mb    integer NOT NULL,
    memory_gb    numeric GENERATED ALWAYS AS (round(memory_mb / 1024.0, 1)) STORED,
    roles        text[] NOT NULL DEFAULT '{}',
    installed_at timestamp NOT NULL DEFAULT now(),
    retired_at   timestamptz,
    facts        jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE network (
    id       serial PRIMARY KEY,
    prefix   cidr NOT NULL UNIQUE,
    vlan     integer,
    purpose  text NOT NULL
);

CREATE TABLE address (
    id         serial PRIMARY KEY,
    server_id  integer REFERENCES server ON DELETE SET NULL,
    network_id integer NOT NULL REFERENCES network,
    ip         inet NOT NULL UNIQUE,
    mac        macaddr
);

---------------------------------------------------------------- hosting

CREATE TABLE domain (
    id          serial PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customer,
    name        text NOT NULL UNIQUE,
    expires_on  date
);

CREATE TABLE vhost (
    id          serial PRIMARY KEY,
    server_id   integer NOT NULL REFERENCES server,
    domain_id   integer NOT NULL REFERENCES domain,
    docroot     text NOT NULL,
    php_version text,
    UNIQUE (server_id, domain_id)
);

CREATE TABLE certificate (
    id         serial PRIMARY KEY,
    domain_id  integer NOT NULL REFERENCES domain,
    issuer     text NOT NULL,
    not_after  timestamptz NOT NULL,
    compression text
);

CREATE TABLE shell_account (
    id          serial PRIMARY KEY,
    vhost_id    integer NOT NULL REFERENCES vhost,
    system_user text NOT NULL,
    shell       text NOT NULL DEFAULT '/bin/bash',
    ssh_key     text
);

CREATE TABLE cron_job (
    id            serial PRIMARY KEY,
    server_id     integer NOT NULL REFERENCES server,
    "system_user" text NOT NULL DEFAULT 'root',
    schedule      text NOT NULL,
    command       text NOT NULL
);

CREATE TABLE job_run (
    id          bigserial PRIMARY KEY,
    cron_job_id integer NOT NULL REFERENCES cron_job ON DELETE CASCADE,
    started_at  timestamptz NOT NULL,
    total_time  double precision NOT NULL,
    exit_code   integer NOT NULL
);

---------------------------------------------------------------- operations

CREATE TABLE incident (
    id         serial PRIMARY KEY,
    server_id  integer REFERENCES server,
    opened_at  timestamptz NOT NULL DEFAULT now(),
    closed_at  timestamptz,
    reported   timestamp,
    severity   smallint NOT NULL CHECK (severity BETWEEN 1 AND 4),
    summary    text NOT NULL
);

CREATE TABLE backup_policy (
    id          serial PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    keep        interval NOT NULL,
    compression text NOT NULL DEFAULT 'gzip'
);

CREATE TABLE backup_run (
    id          bigserial PRIMARY KEY,
    server_id   integer NOT NULL REFERENCES server,
    policy_id   integer NOT NULL REFERENCES backup_policy,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz,
    bytes       bigint,
    ok          boolean
);

CREATE TABLE sample (
    server_id  integer NOT NULL REFERENCES server,
    taken_at   timestamptz NOT NULL,
    load1      real NOT NULL,
    disk_used  bigint NOT NULL,
    PRIMARY KEY (server_id, taken_at)
);

CREATE TABLE change_log (
    id         bigserial PRIMARY KEY,
    relation   text NOT NULL,
    row_id     bigint NOT NULL,
    changed_by text NOT NULL DEFAULT session_user,
    changed_at timestamptz NOT NULL DEFAULT now(),
    was        jsonb
);

---------------------------------------------------------------- functions

-- begin of the bin that contains a time; months and years work, too
CREATE FUNCTION public.date_bin(stride interval, at timestamptz, origin timestamptz) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    n integer := 0;
BEGIN
    WHILE origin + stride * (n + 1) <= at LOOP
        n := n + 1;
    END LOOP;
    RETURN origin + stride * n;
END
$$;

CREATE FUNCTION public.json_array(VARIADIC items text[]) RETURNS json
LANGUAGE sql IMMUTABLE AS $$
    SELECT to_json(items)
$$;

CREATE FUNCTION log_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF OLD IS DISTINCT FROM NEW THEN
        INSERT INTO change_log (relation, row_id, was)
        VALUES (TG_TABLE_NAME, OLD.id, to_jsonb(OLD));
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION check_address() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    net cidr;
BEGIN
    SELECT n.prefix INTO net FROM network n WHERE n.id = NEW.network_id;
    IF NOT NEW.ip <<= net THEN
        RAISE EXCEPTION '% is not in %', NEW.ip, net USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION append_role(roles text[], role text) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN array_position(roles, role) IS NULL THEN array_append(roles, role) ELSE roles END
$$;

CREATE AGGREGATE role_union(text) (
    SFUNC = append_role,
    STYPE = text[],
    INITCOND = '{}'
);

CREATE AGGREGATE name_list(text) (
    SFUNC = array_append,
    STYPE = text[],
    INITCOND = '{}'
);

CREATE TRIGGER log_change AFTER UPDATE ON server FOR EACH ROW EXECUTE FUNCTION log_change();
CREATE TRIGGER log_change AFTER UPDATE ON contract FOR EACH ROW EXECUTE FUNCTION log_change();
CREATE TRIGGER check_address BEFORE INSERT OR UPDATE ON address FOR EACH ROW EXECUTE FUNCTION check_address();

---------------------------------------------------------------- indexes

CREATE INDEX server_installed_idx ON server USING btree (installed_at timestamp_ops);
CREATE INDEX server_retired_idx ON server USING btree (retired_at timestamptz_ops) WHERE retired_at IS NOT NULL;
CREATE INDEX server_roles_idx ON server USING gin (roles);
CREATE INDEX server_facts_idx ON server USING gin (facts jsonb_path_ops);
CREATE INDEX incident_opened_idx ON incident USING btree (opened_at timestamp_ops);
CREATE INDEX incident_reported_idx ON incident USING btree (reported timestamp_ops);
CREATE INDEX incident_closed_idx ON incident USING btree (closed_at);
CREATE INDEX address_ip_idx ON address USING gist (ip inet_ops);
CREATE INDEX network_prefix_idx ON network USING btree (prefix inet_ops);
CREATE INDEX backup_policy_keep_idx ON backup_policy USING btree (keep interval_ops);
CREATE INDEX certificate_not_after_idx ON certificate USING btree (not_after);
CREATE INDEX cron_job_user_idx ON cron_job ("system_user");
CREATE INDEX job_run_started_idx ON job_run USING brin (started_at);
CREATE INDEX sample_taken_idx ON sample USING brin (taken_at);

---------------------------------------------------------------- views

CREATE VIEW active_server AS
    SELECT s.id, s.hostname, s.kind, s.roles, r.label AS rack, d.code AS datacenter
      FROM server s
      LEFT JOIN rack r ON r.id = s.rack_id
      LEFT JOIN datacenter d ON d.id = r.datacenter_id
     WHERE s.retired_at IS NULL;

CREATE VIEW monitoring.tls_session AS
    SELECT a.pid,
           a.usename,
           a.client_addr,
           s.version,
           s.cipher,
           s.bits
      FROM pg_stat_activity a
      JOIN pg_stat_ssl s ON s.pid = a.pid
     WHERE s.ssl;

CREATE VIEW monitoring.session_transport AS
    SELECT a.usename,
           a.application_name,
           s.ssl,
           s.compression AS compressed
      FROM pg_stat_activity a
      JOIN pg_stat_ssl s USING (pid)
     WHERE a.backend_type = 'client backend';

CREATE VIEW monitoring.checkpoint AS
    SELECT b.checkpoints_timed,
           b.checkpoints_req,
           b.buffers_backend,
           b.stats_reset
      FROM pg_stat_bgwriter b;

CREATE VIEW monitoring.function_time AS
    SELECT f.schemaname, f.funcname, f.calls, f.total_time, f.self_time
      FROM pg_stat_user_functions f;

CREATE VIEW monitoring.last_backup AS
    SELECT DISTINCT ON (b.server_id) s.hostname, b.started_at, b.finished_at, b.ok, p.compression
      FROM backup_run b
      JOIN server s ON s.id = b.server_id
      JOIN backup_policy p ON p.id = b.policy_id
     ORDER BY b.server_id, b.started_at DESC;

CREATE VIEW cron_overview AS
    SELECT s.hostname, c.system_user AS account, c.schedule, c.command
      FROM cron_job c
      JOIN server s ON s.id = c.server_id;

COMMENT ON TABLE cron_job IS 'jobs of customers and of the platform; the account is in "system_user"';
COMMENT ON TABLE sample IS 'one row for each server and hour, kept for two years';
