"""Evidence in the old server's catalogs that several modules of the atlas share."""

from pytest_pgfeatures.affects import CatalogQuery

FIRST_OF_USERS = 16384
"""The OIDs from this one on are those of users' objects."""


def indexes(condition, *at, may=None):
    """Return evidence of indexes, and of constraints with an index.

    Parameters:
        condition: an SQL condition on the tables i (pg_index), c and t (pg_class of the index and the table),
            m (the access method), and o (the operator classes of the columns).
        at: words of the statement; the index is shown at its column behind the first of these.
    """
    return CatalogQuery(
        f"""
        SELECT 'index ' || c.oid::regclass::text, t.relname, c.relname, a.attname
          FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
          JOIN pg_am AS m ON m.oid = c.relam JOIN pg_attribute AS a ON a.attrelid = c.oid
          JOIN pg_opclass AS o ON o.oid = i.indclass[a.attnum - 1]
         WHERE c.oid >= {FIRST_OF_USERS} AND {condition}
        """,
        at=at,
        may=may,
    )


def triggers(condition, *at, may=None):
    """Return evidence of triggers of users.

    Parameters:
        condition: an SQL condition on the table t (pg_trigger).
        at: words of the statement, at the first of which the trigger is shown.
    """
    return CatalogQuery(
        f"""
        SELECT 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass, t.tgname, c.relname
          FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
         WHERE NOT t.tgisinternal AND {condition}
        """,
        at=at,
        may=may,
    )


def event_triggers(condition, *at, may=None):
    """Return evidence of event triggers.

    Parameters:
        condition: an SQL condition on pg_event_trigger.
        at: words of the statement, at the first of which the event trigger is shown.
    """
    query = f"SELECT 'event trigger ' || evtname, evtname FROM pg_event_trigger WHERE {condition}"
    return CatalogQuery(query, at=at, may=may)


def configurations(condition, *at, may=None):
    """Return evidence of users' text search configurations.

    Parameters:
        condition: an SQL condition on the tables c (pg_ts_config), d (its dictionaries) and p (their templates).
        at: words of the statement, at the first of which the configuration is shown.
    """
    return CatalogQuery(
        f"""
        SELECT DISTINCT 'text search configuration ' || c.oid::regconfig::text, c.cfgname
          FROM pg_ts_config AS c LEFT JOIN pg_ts_config_map AS m ON m.mapcfg = c.oid
          LEFT JOIN pg_ts_dict AS d ON d.oid = m.mapdict LEFT JOIN pg_ts_template AS p ON p.oid = d.dicttemplate
         WHERE c.oid >= {FIRST_OF_USERS} AND {condition}
        """,
        at=at,
        may=may,
    )
