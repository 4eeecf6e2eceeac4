-- donors that registered twice
CREATE TABLE donor_merge (
    donor_merge_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    donor_id       bigint NOT NULL REFERENCES donor,
    merged_into    bigint NOT NULL REFERENCES donor,
    merge_action   text NOT NULL,
    done_by        text NOT NULL DEFAULT current_user,
    done_at        timestamptz NOT NULL DEFAULT now()
);
