-- accounts whose password expires within 30 days; the mail wants epoch seconds
\pset tuples_only on
\pset format unaligned
\pset fieldsep '\t'

SELECT usename,
       valuntil::abstime::integer
  FROM pg_user
 WHERE valuntil < now() + interval '30 days';

-- last run of each job
SELECT DISTINCT ON (job) job, abstime, ok
  FROM dba.job_runs
 ORDER BY job, abstime DESC;
