"""Clients of databases that are started for the take: PostgreSQL, SQLite, MariaDB, Redis, DuckDB."""

from __future__ import annotations

from tests.recorded.record.case import Case, code
from tests.recorded.record.shapes import tool

_PG = code("""
    D=/tmp/pg
    B=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
    $B/initdb -D $D -U app -A trust > /dev/null
    $B/pg_ctl -D $D -o '-k /tmp -p 54@m -c listen_addresses=127.0.0.1' -w -l /tmp/pg.log start
    """)

_PSQL = "psql -h 127.0.0.1 -p 54@m -U app -d postgres"

_REDIS = "redis-server --port 63@m --daemonize yes --save '' > /dev/null; sleep 0.5"

_MYSQL = code("""
    mkdir -p /tmp/my
    mariadb-install-db --no-defaults --datadir=/tmp/my --auth-root-authentication-method=normal
    AT="--datadir=/tmp/my --socket=/tmp/my.sock --port=33@m --bind-address=127.0.0.1 --pid-file=/tmp/my.pid"
    mariadbd --no-defaults $AT > /tmp/my.log 2>&1 &
    for i in $(seq 40); do
      mariadb --no-defaults -S /tmp/my.sock -u root -e 'select 1' > /dev/null 2>&1 && break
      sleep 0.25
    done
    """)

_MARIADB = "mariadb --no-defaults -h 127.0.0.1 -P 33@m -u root"


def _psql(cause: str, family: str, sql: str, *, before: str = "", wraps: tuple[str, ...] = ()) -> Case:
    setup = _PG + (f'{_PSQL} -q -c "{before}"\n' if before else "")
    return tool(
        "psql",
        cause,
        family,
        f'{_PSQL} -v ON_ERROR_STOP=1 -c "{sql}"',
        f"{_PSQL} -v ON_ERROR_STOP=1 -f @thing.sql",
        files={"@thing.sql": f"@pad\n{sql};\n"},
        setup=setup,
        wraps=wraps,
    )


def _sqlite(cause: str, family: str, sql: str, *, before: str = "", wraps: tuple[str, ...] = ()) -> Case:
    setup = f'sqlite3 @thing.db "{before}"' if before else ""
    return tool(
        "sqlite3",
        cause,
        family,
        f'sqlite3 @thing.db "{sql}"',
        "sqlite3 -bail @thing.db < @thing.sql",
        files={"@thing.sql": f"@pad\n{sql};\n"},
        setup=setup,
        wraps=wraps,
    )


def _mariadb(cause: str, family: str, sql: str, *, before: str = "") -> Case:
    setup = _MYSQL + (f'{_MARIADB} -e "{before}"\n' if before else "")
    return tool(
        "mysql",
        cause,
        family,
        f'{_MARIADB} -e "{sql}"',
        f"{_MARIADB} < @thing.sql",
        files={"@thing.sql": f"@pad\n{sql};\n"},
        setup=setup,
        version="mariadb --version",
    )


CASES = [
    tool("alembic", "no-config", "no-config", "alembic upgrade head", "alembic revision -m '@verb @thing'"),
    _psql("no-such-table-invoices", "no-such-relation", "select @n from invoices", wraps=("make", "ci")),
    _psql("no-such-table-customers", "no-such-relation", "select @n from customers"),
    _psql(
        "no-such-column-email", "no-such-column", "select email from account", before="create table account (id int)"
    ),
    _psql("syntax-error-at-from", "syntax", "select id, from account"),
    _psql(
        "duplicate-key-account_pkey",
        "duplicate-key",
        "insert into account values (@n), (@n)",
        before="create table account (id int primary key)",
    ),
    _psql(
        "not-null-email",
        "not-null",
        "insert into account values (null)",
        before="create table account (email text not null)",
    ),
    _psql(
        "foreign-key-owner",
        "foreign-key",
        "insert into item values (@n)",
        before=(
            "create table owner (id int primary key); create table item (owner int constraint item_owner "
            "references owner)"
        ),
    ),
    _psql("table-exists-account", "exists", "create table account (id int)", before="create table account (id int)"),
    _psql("type-integer-syntax", "invalid-text", "select '@thing'::integer"),
    _psql("division-by-zero", "division-by-zero", "select @n / 0"),
    tool(
        "psql",
        "connection-refused",
        "connection-refused",
        "psql -h 127.0.0.1 -p 60@m -U @user -c 'select 1'",
        "psql postgresql://@user@localhost:61@m/@thing -c 'select @n'",
        wraps=("make",),
    ),
    tool("psql", "no-socket", "no-socket", "psql -U @user -c 'select 1'", "psql -h /tmp/@thing -d @other"),
    tool(
        "psql",
        "no-such-database-shop",
        "no-such-database",
        "psql -h 127.0.0.1 -p 54@m -U app -d storefront -c 'select 1'",
        "psql postgresql://app@127.0.0.1:54@m/storefront -c 'select @n'",
        setup=_PG,
    ),
    tool(
        "psql",
        "no-such-role-webapp",
        "no-such-role",
        "psql -h 127.0.0.1 -p 54@m -U webapp -d postgres -c 'select 1'",
        "psql postgresql://webapp@127.0.0.1:54@m/postgres -c 'select @n'",
        setup=_PG,
    ),
    tool(
        "psql",
        "resolve",
        "resolve",
        "psql -h db.example.com -c 'select 1'",
        "psql postgresql://@user@@thing.example.com/@thing -c 'select @n'",
    ),
    _sqlite("no-such-table-invoices", "no-such-table", "select @n from invoices", wraps=("make",)),
    _sqlite("no-such-table-customers", "no-such-table", "select @n from customers"),
    _sqlite("no-such-column-email", "no-such-column", "select email from account", before="create table account (id)"),
    _sqlite("syntax-near-from", "syntax", "select id, from account"),
    _sqlite(
        "unique-account.id",
        "unique",
        "insert into account values (@n), (@n)",
        before="create table account (id unique)",
    ),
    tool(
        "sqlite3",
        "not-a-database",
        "not-a-database",
        "sqlite3 @thing.db .tables",
        "sqlite3 lib.db 'select @n from x'",
        files={
            "@thing.db": "plain text, not a database at all @n\n" * 40,
            "lib.db": "plain text, not a database at all @n\n" * 40,
        },
    ),
    tool(
        "sqlite3",
        "unable-to-open",
        "unable-to-open",
        "sqlite3 data/@thing.db 'create table x (id)'",
        "sqlite3 -readonly @thing.db 'select @n'".replace("-readonly @thing.db", "/srv/@thing/@n.db"),
    ),
    _mariadb("no-such-table-invoices", "no-such-table", "select @n from test.invoices"),
    _mariadb(
        "unknown-column-email",
        "unknown-column",
        "select email from test.account",
        before="create database if not exists test; create table test.account (id int)",
    ),
    _mariadb("syntax-near-from", "syntax", "select id, from test.account"),
    _mariadb(
        "duplicate-entry-primary",
        "duplicate-entry",
        "insert into test.account values (@n), (@n)",
        before="create database if not exists test; create table test.account (id int primary key)",
    ),
    tool(
        "mysql",
        "connection-refused",
        "connection-refused",
        "mariadb --no-defaults -h 127.0.0.1 -P 60@m -u @user",
        "mariadb --no-defaults -h 127.0.0.1 -P 61@m -u root @thing",
        version="mariadb --version",
    ),
    tool(
        "mysql",
        "no-socket",
        "no-socket",
        "mariadb --no-defaults -u @user",
        "mariadb --no-defaults -u root @thing -e 'select @n'",
        version="mariadb --version",
    ),
    tool(
        "mysql",
        "unknown-database-storefront",
        "unknown-database",
        f"{_MARIADB} storefront -e 'select 1'",
        f"{_MARIADB} -D storefront -e 'select @n'",
        setup=_MYSQL,
        version="mariadb --version",
    ),
    tool(
        "mysql",
        "access-denied-webapp",
        "access-denied",
        "mariadb --no-defaults -h 127.0.0.1 -P 33@m -u webapp -pwrong -e 'select 1'",
        "mariadb --no-defaults -h 127.0.0.1 -P 33@m -u webapp -pnope @thing",
        setup=_MYSQL,
        version="mariadb --version",
    ),
    tool(
        "redis-cli",
        "connection-refused",
        "connection-refused",
        "redis-cli -p 60@m ping",
        "redis-cli -h 127.0.0.1 -p 61@m get @thing",
        wraps=("make",),
    ),
    tool(
        "redis-cli",
        "wrong-type",
        "wrong-type",
        "redis-cli -e -p 63@m lpush @thing @n",
        "redis-cli -e -p 63@m hget @thing @other",
        setup=f"{_REDIS}; redis-cli -p 63@m set @thing 1",
    ),
    tool("redis-cli", "unknown-command-gett", "unknown-command", "redis-cli -e -p 63@m gett @thing", setup=_REDIS),
    tool(
        "redis-cli",
        "noauth",
        "noauth",
        "redis-cli -e -p 63@m get @thing",
        setup="redis-server --port 63@m --requirepass x --daemonize yes --save '' > /dev/null; sleep 0.5",
    ),
    tool(
        "duckdb",
        "no-such-table-invoices",
        "no-such-table",
        'duckdb -c "select @n from invoices"',
        "duckdb @thing.db -c 'select id from invoices'",
    ),
    tool(
        "duckdb",
        "parser-error",
        "parser",
        'duckdb -c "select id, frm invoices where"',
        "duckdb @thing.db -c 'select @n frm x where'",
    ),
]
