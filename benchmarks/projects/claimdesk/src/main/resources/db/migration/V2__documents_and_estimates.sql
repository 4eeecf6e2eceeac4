-- Letters travel between the branches; sent_location is the branch that sent the paper file
CREATE TABLE claim_document (
    id             bigserial PRIMARY KEY,
    claim_id       bigint NOT NULL REFERENCES claim (id),
    title          text NOT NULL,
    sent_location  text,
    received_at    timestamptz,
    body           bytea
);

-- Estimates arrive as XML from the garages and surveyors
CREATE TABLE estimate (
    id         bigserial PRIMARY KEY,
    claim_id   bigint NOT NULL REFERENCES claim (id),
    garage     text NOT NULL,
    doc        xml NOT NULL,
    loaded_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX claim_document_claim_idx ON claim_document (claim_id) WITH (fillfactor = 80);
CREATE INDEX estimate_claim_idx ON estimate (claim_id);

CREATE TABLE premium_schedule (
    product       text PRIMARY KEY,
    min_premium   numeric(12,2) NOT NULL,
    increment_by  numeric(5,2) NOT NULL
);
