"""Databases as their clients speak: psql, mysql, sqlite3, mongo, redis, Oracle, SQL Server.

What a server says inside a program's exception is read with the program's language; these rows read a client's own
lines.
"""

from __future__ import annotations

from engrain.fingerprint.rows import row, scan, table
from engrain.model import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_PSQL = r"^(?:psql:[^:]*:\d+: |psql: )?(?:error: )?(?:.*?failed: )?(?:ERROR|FATAL): +"

_SQLITE = (
    r"^(?:Parse error|Runtime error|Error)(?: near line \d+)?: (?:stepping, |in prepare, |near line \d+: )?"
    r"(?P<message>(?:near \".*?|no such \w+: .*?|\w[\w ]* constraint failed.*?|file is not a "
    r"database|database is locked"
    r"|unable to open.*|table .* already exists|.* has no column named .*|incomplete input|datatype mismatch"
    r"|attempt to write a readonly database|unrecognized token.*|ambiguous column.*|no tables specified"
    r"|\d+ values for \d+ columns|misuse of .*|wrong number of arguments.*))(?: \(\d+\))?$"
)

ROWS = table(
    row(
        "psql",
        "connection to server",
        r"connection to server .*?failed: (?P<message>Connection refused)",
        "connection refused",
        says="",
    ),
    row(
        "psql",
        "could not connect to server",
        r"could not connect to server: (?P<message>[\w ]+)",
        "connection refused",
        says="",
    ),
    row("psql", "connection to server", r"connection to server .*?failed: (?:FATAL: +)?(?P<message>.*)", "connection"),
    row(
        "psql", "could not translate host name", r"(?P<message>could not translate host name)", "no such host", says=""
    ),
    row(
        "psql",
        ' relation "',
        _PSQL + r"relation \"(?P<relation>[^\"]+)\" does not exist",
        "relation does not exist",
        says="",
    ),
    row(
        "psql",
        " column ",
        _PSQL + r"column \"?(?P<column>[\w.]+)\"? (?:of relation .* )?does not exist",
        "column does not exist",
        says="",
    ),
    row(
        "psql",
        " function ",
        _PSQL + r"function (?P<function>[\w.]+)\(.*\) does not exist",
        "function does not exist",
        says="",
    ),
    row(
        "psql",
        ' database "',
        _PSQL + r"database \"(?P<database>[^\"]+)\" does not exist",
        "database does not exist",
        says="",
    ),
    row("psql", ' role "', _PSQL + r"role \"(?P<_role>[^\"]+)\" does not exist", "role does not exist", says=""),
    row("psql", "authentication failed", _PSQL + r"(?P<method>\w+) authentication failed", "authentication", says=""),
    row("psql", "ERROR: ", r"^(?:psql:[^:]*:\d+: )?ERROR:  (?P<message>\S.*)"),
    row("psql", "FATAL: ", r"^(?:psql: )?(?:error: )?FATAL:  (?P<message>\S.*)"),
    row("psql", "psql: ", r"^psql: (?:error: )?(?P<message>.*)"),
    row("pg_dump", "pg_", r"^pg_\w+: (?:error: )?(?P<message>.*)"),
    row(
        "mysql",
        "ERROR ",
        r"^ERROR (?P<code>\d{4}) \((?P<_state>\w+)\)(?: at line \d+)?(?: in file.*?)?: (?P<message>.*)",
    ),
    row(
        "mysql",
        "mysql",
        r"^mysql\S*: (?:\[ERROR\] )?(?:\S+: )?unknown variable '(?P<variable>[\w-]+)",
        "unknown variable",
        says="",
    ),
    row("mysql", "mysql", r"^mysql\w*: \[ERROR\] (?P<message>.*)"),
    row("mysql", "mysql", r"^mysql\w*: Got error: (?P<code>\d+): (?P<message>.*)"),
    row("sqlite3", "error near line", _SQLITE),
    row("sqlite3", "error: ", _SQLITE),
    row("sqlite3", "Error: ", _SQLITE),
    row("mongo", "MongoServerError", r"(?P<code>MongoServerError)(?:\[\w+\])?: (?P<message>.*)"),
    row("mongo", "MongoNetworkError", r"(?P<code>MongoNetworkError)(?:\[\w+\])?: (?P<message>.*)"),
    row(
        "redis",
        "Could not connect to Redis",
        r"Could not connect to Redis at \S+: (?P<why>.*)",
        "connection",
        says="",
    ),
    row("redis", "(error) ", r"^\(error\) (?P<code>[A-Z]+) (?P<message>.*)"),
    row("oracle", "ORA-", r"(?P<code>ORA-\d{5}): (?P<message>.*)"),
    row("sqlserver", "Msg ", r"^Msg (?P<code>\d+), Level \d+"),
    row("sqlserver", "Login failed for user", r"(?P<message>Login failed for user)", "login failed", says=""),
    row("sql", "SQLSTATE", r"SQLSTATE\[(?P<code>\w{5})\](?: \[\d+\])?:? (?P<message>.*)", rank=SECOND),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of database clients."""
    return scan(ROWS, text, words)
