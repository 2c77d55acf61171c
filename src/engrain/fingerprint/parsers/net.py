"""ssh, curl, wget, rsync, TLS, names and connections: whoever reports them in plain words."""

from __future__ import annotations

from engrain.fingerprint.rows import row, scan, table
from engrain.model import SECOND, WRAPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    # Said of a key that has changed, too, below the words that say so.
    row("ssh", "Host key verification failed", r"Host key verification failed", "host key", SECOND, says=""),
    row(
        "ssh",
        "REMOTE HOST IDENTIFICATION HAS CHANGED",
        r"REMOTE HOST IDENTIFICATION HAS CHANGED",
        "host key changed",
        says="",
    ),
    row(
        "ssh",
        "Permission denied (",
        r"Permission denied \((?:publickey|password|keyboard)[\w,-]*\)",
        "permission denied",
        says="",
    ),
    row(
        "ssh",
        "ssh: ",
        r"^ssh: (?P<_what>connect to host|Could not resolve hostname) \S+(?: port \d+)?: (?P<message>.*?)\.?$",
        "connection",
    ),
    row("ssh", "kex_exchange", r"(?P<message>kex_exchange_identification): ", "key exchange", says=""),
    row("ssh", "UNPROTECTED PRIVATE KEY", r"UNPROTECTED PRIVATE KEY FILE", "key permissions", says=""),
    row(
        "ssh",
        "Bad configuration option",
        r"Bad configuration option: (?P<option>\S+)",
        "bad configuration option",
        says="",
    ),
    row("ssh", "Load key", r"^Load key .*: (?P<message>.*)", "load key"),
    row(
        "ssh",
        "lost connection",
        r"^(?:scp: )?(?:Connection closed|lost connection)",
        "lost connection",
        WRAPPER,
        says="",
    ),
    row(
        "curl",
        "curl: (",
        r"curl: \((?P<code>\d{1,2})\)(?: The requested URL returned error: (?P<status>\d{3}))?(?P<message>.*)",
    ),
    row("curl", "curl: ", r"^curl: (?P<message>(?:option|no URL|try).*)", "usage"),
    row("wget", "wget: ", r"^wget: (?P<message>.*)"),
    row("wget", "ERROR ", r"^(?:\d{4}-\S+ \S+ )?ERROR (?P<status>\d{3}): (?P<message>.*)\.$", "HTTP"),
    row(
        "wget",
        "unable to resolve host address",
        r"(?P<message>unable to resolve host address)",
        "no such host",
        says="",
    ),
    row("wget", "Connecting to ", r"^Connecting to .*failed: (?P<message>.*)\.$", "connection"),
    row("rsync", "rsync error: ", r"^rsync error: (?P<message>.*?) \(code (?P<code>\d+)\)", rank=SECOND),
    row("rsync", "rsync: ", r"^rsync: (?:\[\w+\] )?(?P<message>.*)"),
    row("nc", "nc: ", r"^nc: (?P<message>.*)"),
    row(
        "tls",
        "certificate",
        r"(?P<message>(?:x509: .*|certificate verify failed.*|self[- ]signed certificate.*"
        r"|certificate has expired|unable to get local issuer certificate))",
        "certificate",
        SECOND,
    ),
    row("dns", "lookup ", r"dial tcp: lookup \S+?(?: on \S+)?: (?P<message>.*)", "lookup"),
    row("tcp", "dial tcp", r"dial tcp \S+: (?:connect: )?(?P<message>.*)", "connection"),
    row("net", " refused", r"(?P<message>[Cc]onnection refused)", "connection refused", SECOND, says=""),
    row("net", " timed out", r"(?P<message>[Cc]onnection timed out)", "connection timed out", SECOND, says=""),
    row(
        "net",
        " reset by peer",
        r"(?P<message>[Cc]onnection reset by peer)",
        "connection reset",
        SECOND,
        says="",
    ),
    row("net", "Could not resolve host", r"(?P<message>Could not resolve host)", "no such host", SECOND, says=""),
    row("net", "Name or service not known", r"(?P<message>Name or service not known)", "no such host", SECOND, says=""),
    row(
        "net",
        "Temporary failure in name resolution",
        r"(?P<message>Temporary failure in name resolution)",
        "no such host",
        SECOND,
        says="",
    ),
    row("net", "No route to host", r"(?P<message>No route to host)", "no route", SECOND, says=""),
    row("net", "Network is unreachable", r"(?P<message>Network is unreachable)", "no route", SECOND, says=""),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of the network."""
    return scan(ROWS, text, words)
