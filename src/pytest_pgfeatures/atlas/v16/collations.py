"""Collations: section 4.2.4 of the PostgreSQL 16 verification report.

They need a server that was built with ICU. Releases before 10 don't support ICU, and refuse.
"""

from pytest_pgfeatures import behavior

SOURCE = "PostgreSQL 16 verification report, 4.2.4"
PREDEFINED = "collation#COLLATION-MANAGING-PREDEFINED"
RULES = "sql-createcollation"
ICU = {"icu": ">=10"}

# --- Predefined collations ---------------------------------------------------------------------------------


@behavior(
    "10/icu-collations-predefined",
    title="There is an ICU collation for each of ICU's locales",
    area="collation",
    source=SOURCE,
    manual=PREDEFINED,
    isolation="transaction",
    needs=ICU,
    expect={"<10": "42703", ">=10": True},
    note=(
        "The report says that 15 has none and that 16 brought them. initdb has created them since 10 if the"
        " server was built with ICU; 16 made that the default of a build. Their number depends on the ICU"
        " library."
    ),
)
def icu_collations_predefined(lab):
    return lab.value_or_sqlstate("SELECT count(*) > 500 FROM pg_collation WHERE collprovider = 'i'")


@behavior(
    "17/collation-providers",
    title="pg_collation shows a collation's provider: libc, ICU, or builtin",
    area="collation",
    source=SOURCE,
    manual="catalog-pg-collation",
    isolation="transaction",
    needs=ICU,
    since="17",
    expect={"<10": "42703", "10..16": "c d i", ">=17": "b c d i"},
    note="d is the database's default. The provider builtin came with 17.",
)
def collation_providers(lab):
    return lab.value_or_sqlstate(
        "SELECT string_agg(p, ' ' ORDER BY p) FROM (SELECT DISTINCT collprovider::text FROM pg_collation) c(p)"
    )


@behavior(
    "17/ucs-basic-provider",
    title="ucs_basic is provided by PostgreSQL itself rather than by libc",
    area="collation",
    source=SOURCE,
    manual=PREDEFINED,
    since="17",
    isolation="transaction",
    expect={"<10": "42703", "10..16": "c", ">=17": "b"},
)
def ucs_basic_provider(lab):
    return lab.value_or_sqlstate("SELECT collprovider::text FROM pg_collation WHERE collname = 'ucs_basic'")


@behavior(
    "16/collation-encodings",
    title="The collation unicode works with several encodings, ucs_basic only with UTF8",
    area="collation",
    source=SOURCE,
    manual=PREDEFINED,
    isolation="transaction",
    needs=ICU,
    expect={"<16": ["ucs_basic: UTF8"], ">=16": ["ucs_basic: UTF8", "unicode: any"]},
    note="unicode works with every encoding that ICU supports. The values are the catalog's; -1 is any"
    " encoding.",
)
def collation_encodings(lab):
    rows = lab.sql(
        "SELECT collname, CASE collencoding WHEN -1 THEN 'any' ELSE pg_encoding_to_char(collencoding) END"
        " FROM pg_collation WHERE collname IN ('ucs_basic', 'unicode') ORDER BY 1"
    )
    return [f"{name}: {encoding}" for name, encoding in rows]


# --- The order of the report's rows ------------------------------------------------------------------------


def order_by(lab, collation):
    """Return the report's rows, Latin letters and both kinds of Japanese syllables, in a collation's order."""
    lab.sql("CREATE TABLE t_coll (id int PRIMARY KEY, v text)")
    lab.sql(
        "INSERT INTO t_coll VALUES (1, 'AAA'), (2, 'bbb'), (3, 'CCC'), (101, 'かき'), (102, 'クケ'),"
        " (103, 'コ'), (104, 'サ'), (105, 'じず'), (106, 'せそ')"
    )
    return lab.value_or_sqlstate(f"SELECT string_agg(v, ' ' ORDER BY v COLLATE {collation}) FROM t_coll")


BY_LANGUAGE = "AAA bbb CCC かき クケ コ サ じず せそ"
BY_CODE_POINT = "AAA CCC bbb かき じず せそ クケ コ サ"


@behavior(
    "16/collation-unicode",
    title="The collation unicode sorts letters and syllables in Unicode's default order",
    area="collation",
    source=SOURCE,
    manual=PREDEFINED,
    isolation="transaction",
    needs=ICU,
    expect={"<16": "42704", ">=16": BY_LANGUAGE},
    note="The report's rows. Hiragana and katakana of one sound belong together.",
)
def collation_unicode(lab):
    return order_by(lab, "unicode")


@behavior(
    "10/collation-und-x-icu",
    title='The collation "und-x-icu" sorts as unicode does in 16',
    area="collation",
    source=SOURCE,
    manual=PREDEFINED,
    isolation="transaction",
    needs=ICU,
    expect={"<10": "42704", ">=10": BY_LANGUAGE},
    note="The report says that unicode is this collation, ICU's root collation. An application on 15 can"
    " use it.",
)
def collation_und_x_icu(lab):
    return order_by(lab, '"und-x-icu"')


@behavior(
    "16/collation-ucs-basic",
    title="The collation ucs_basic sorts by code point",
    area="collation",
    source=SOURCE,
    manual=PREDEFINED,
    isolation="transaction",
    expect={"all": BY_CODE_POINT},
    note="The report lists it as new. It is as old as PostgreSQL's collations, and doesn't need ICU.",
)
def collation_ucs_basic(lab):
    return order_by(lab, "ucs_basic")


# --- Rules of ICU ------------------------------------------------------------------------------------------

CARD_RULES = "& 1 < A & 9 < 10 & 10 < J & J < Q & Q < K"
"""The report's rules: A comes after 1, 10 is one unit that comes after 9, J after 10, and so on."""


def create_collation(lab, name, rules, **more):
    """Create a collation of ICU's root locale with rules. Return the SQLSTATE if the server refuses it."""
    options = {"provider": "icu", "locale": "'und'", "rules": f"'{rules}'"} | more
    listed = ", ".join(f"{option} = {value}" for option, value in options.items())
    return lab.sqlstate(f"CREATE COLLATION {name} ({listed})")


@behavior(
    "16/icu-rules-order",
    title="CREATE COLLATION takes ICU rules, and ORDER BY sorts by them",
    area="collation",
    source=SOURCE,
    manual=RULES,
    isolation="transaction",
    needs=ICU,
    expect={"<16": "42601", ">=16": "A 2 3 4 5 6 7 8 9 10 J Q K"},
    note="The report's playing cards.",
)
def icu_rules_order(lab):
    lab.sql("CREATE TABLE t_card (v text)")
    lab.sql("INSERT INTO t_card SELECT unnest('{A,J,Q,K,2,3,4,5,6,7,8,9,10}'::text[])")
    return create_collation(lab, "col_card_rule", CARD_RULES) or lab.value(
        "SELECT string_agg(v, ' ' ORDER BY v COLLATE col_card_rule) FROM t_card"
    )


@behavior(
    "16/icu-rules-comparison",
    title="Operators compare by a collation's rules, too",
    area="collation",
    source=SOURCE,
    manual=RULES,
    isolation="transaction",
    needs=ICU,
    expect={"<16": "42601", ">=16": {"by rule": True, "by code point": False}},
    note="Whether 9 comes before 10.",
)
def icu_rules_comparison(lab):
    return create_collation(lab, "col_card_rule", CARD_RULES) or {
        "by rule": lab.value("SELECT '9'::text < '10'::text COLLATE col_card_rule"),
        "by code point": lab.value("""SELECT '9'::text < '10'::text COLLATE "C" """),
    }


@behavior(
    "16/icu-rules-equality",
    title="With deterministic = false a rule makes different letters equal",
    area="collation",
    source=SOURCE,
    manual=RULES,
    isolation="transaction",
    needs=ICU,
    expect={
        "<16": "42601",
        ">=16": {"deterministic": False, "deterministic = false": True, "unique index": "23505"},
    },
    note="A unique index treats letters that a rule makes equal as duplicates.",
)
def icu_rules_equality(lab):
    if refused := create_collation(lab, "col_equal", "& a = b"):
        return refused
    create_collation(lab, "col_equal_nd", "& a = b", deterministic="false")
    lab.sql("CREATE TABLE letter (v text COLLATE col_equal_nd UNIQUE)")
    lab.sql("INSERT INTO letter VALUES ('a')")
    return {
        "deterministic": lab.value("SELECT 'a' = 'b' COLLATE col_equal"),
        "deterministic = false": lab.value("SELECT 'a' = 'b' COLLATE col_equal_nd"),
        "unique index": lab.sqlstate("INSERT INTO letter VALUES ('b')"),
    }


@behavior(
    "16/icu-rules-malformed",
    title="CREATE COLLATION refuses a malformed rule",
    area="collation",
    source=SOURCE,
    manual=RULES,
    isolation="transaction",
    needs=ICU,
    since="16",
    expect={"<16": "42601", "16..17": "XX000", ">=18": "22023"},
    note="16 and 17 report an internal error.",
)
def icu_rules_malformed(lab):
    return create_collation(lab, "col_bad", "& a < ")


@behavior(
    "16/icu-rules-libc",
    title="Only ICU collations can have rules",
    area="collation",
    source=SOURCE,
    manual=RULES,
    isolation="transaction",
    needs=ICU,
    expect={"<16": "42601", ">=16": "42P17"},
)
def icu_rules_libc(lab):
    return create_collation(lab, "col_libc", "& a < b", provider="libc", locale="'C'")


@behavior(
    "18/nondeterministic-like",
    title="LIKE works with a nondeterministic collation",
    area="collation",
    source=SOURCE,
    manual="functions-matching#FUNCTIONS-LIKE",
    isolation="transaction",
    needs=ICU,
    since="18",
    expect={"<12": "42601", "12..17": "0A000", ">=18": True},
    note="On 16, the report's version, LIKE refuses such collations, even if a rule makes letters equal.",
)
def nondeterministic_like(lab):
    return lab.sqlstate(
        "CREATE COLLATION col_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
    ) or lab.value_or_sqlstate("SELECT 'PostgreSQL' LIKE 'postgre%' COLLATE col_ci")


# --- Providers at initdb -----------------------------------------------------------------------------------


def created(lab, option, *options):
    """Return the locale of the databases in a cluster that initdb creates with these options.

    Parameters:
        option: the option that initdb must have.
        options: initdb's arguments.
    """
    if option not in lab.run("initdb", "--help").output:
        return "unknown option"
    node = lab.create_pg("own", initdb_options=[*options])
    return node.sql(
        """
        SELECT d ->> 'datlocprovider', coalesce(d ->> 'datlocale', d ->> 'daticulocale'), d ->> 'daticurules'
        FROM (SELECT to_jsonb(t) FROM pg_database t WHERE datname = 'template1') r(d)
        """
    )[0]


@behavior(
    "15/initdb-icu",
    title="initdb can create a cluster with the locale provider ICU",
    area="collation",
    source=SOURCE,
    manual="app-initdb",
    needs={"icu": ">=15"},
    isolation="transaction",
    expect={"<15": "unknown option", ">=15": ["i", "und", None]},
    note="The values are the provider, locale and rules of template1.",
)
def initdb_icu(lab):
    return created(lab, "--locale-provider", "--locale-provider=icu", "--icu-locale=und")


@behavior(
    "16/initdb-icu-rules",
    title="initdb takes ICU rules for the cluster's databases",
    area="collation",
    source=SOURCE,
    manual="app-initdb",
    needs={"icu": ">=16"},
    isolation="transaction",
    expect={"<16": "unknown option", ">=16": ["i", "und", "& 9 < 10"]},
)
def initdb_icu_rules(lab):
    rules = ["--locale-provider=icu", "--icu-locale=und", "--icu-rules=& 9 < 10"]
    return created(lab, "--icu-rules", *rules)


@behavior(
    "17/initdb-builtin",
    title="initdb can create a cluster with the locale provider builtin",
    area="collation",
    source=SOURCE,
    manual="app-initdb",
    isolation="transaction",
    expect={"<17": "unknown option", ">=17": ["b", "C.UTF-8", None]},
    note="The provider came with 17, the option with 15.",
)
def initdb_builtin(lab):
    return created(lab, "--builtin-locale", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
