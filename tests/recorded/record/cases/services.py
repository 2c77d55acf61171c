"""Clients of services, and what is served here: databases, HTTP, TLS, ssh, containers, clusters, infrastructure."""

from __future__ import annotations

from tests.recorded.record.case import Case, code


def _tool(
    toolchain: str,
    cause: str,
    family: str,
    command: str,
    b_command: str = "",
    *,
    files: dict[str, str] | None = None,
    wraps: tuple[str, ...] = (),
    setup: str = "",
    root: str = "",
    version: str = "",
    limit: int = 120,
) -> Case:
    return Case(
        toolchain,
        f"{toolchain}-{cause}",
        f"{toolchain}-{family}",
        command,
        files or {},
        b_command,
        setup=setup,
        wraps=wraps,
        root=root,
        version=version,
        limit=limit,
    )


_HTTP = {
    ".serve.py": code("""
    import http.server
    import ssl
    import sys

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(int(sys.argv[2]))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page)
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("/tmp/cert.pem", "/tmp/key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()
    """)
}
_CERTIFY = (
    "openssl req -x509 -newkey rsa:2048 -nodes -keyout /tmp/key.pem -out /tmp/cert.pem -days {} -subj /CN={} "
    "2>/dev/null"
)
_TLS = f"{_CERTIFY.format(9, 'localhost')}; python .serve.py 84@m 200 tls & sleep 1.2"
_OTHER_NAME = f"{_CERTIFY.format(9, 'other.example.com')}; python .serve.py 84@m 200 tls & sleep 1.2"

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
_KUBE = {
    "kubeconfig": (
        "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:64@m'}}]\n"
        "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n"
        "users: [{name: u, user: {}}]\n"
    )
}
_KUBECTL = "kubectl --kubeconfig kubeconfig"


def _psql(cause: str, family: str, sql: str, *, before: str = "", wraps: tuple[str, ...] = ()) -> Case:
    setup = _PG + (f'{_PSQL} -q -c "{before}"\n' if before else "")
    return _tool(
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
    return _tool(
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
    return _tool(
        "mysql",
        cause,
        family,
        f'{_MARIADB} -e "{sql}"',
        f"{_MARIADB} < @thing.sql",
        files={"@thing.sql": f"@pad\n{sql};\n"},
        setup=setup,
        version="mariadb --version",
    )


def _terraform(
    cause: str,
    family: str,
    text: str,
    command: str = "terraform validate -no-color",
    b_command: str = "",
    *,
    wraps: tuple[str, ...] = (),
    b_text: str = "",
) -> Case:
    return Case(
        "terraform",
        f"terraform-{cause}",
        f"terraform-{family}",
        command,
        {"main.tf": f"@pad\n{text}"},
        b_command or command.replace(" -no-color", ""),
        {"@dir.tf": f"@pad\n{b_text or text}"},
        setup="terraform init -no-color > /dev/null 2>&1",
        wraps=wraps,
    )


CASES = [
    _tool(
        "curl",
        "connection-refused",
        "connection-refused",
        "curl http://127.0.0.1:60@m/@thing",
        "curl -sS -X POST http://localhost:61@m/@other -d id=@n",
        wraps=("make", "ci", "xargs"),
    ),
    _tool(
        "curl",
        "could-not-resolve-host",
        "resolve",
        "curl https://@thing.example.com/",
        "curl -fsSL https://@other.example.org/@thing.sh",
        wraps=("make",),
    ),
    _tool(
        "curl",
        "self-signed-certificate",
        "certificate",
        "curl https://localhost:84@m/",
        "curl -sS https://localhost:84@m/@thing",
        files=_HTTP,
        setup=_TLS,
    ),
    _tool(
        "curl",
        "certificate-name-mismatch",
        "certificate-name",
        "curl --cacert /tmp/cert.pem https://localhost:84@m/",
        "curl -sS --cacert /tmp/cert.pem https://localhost:84@m/@thing",
        files=_HTTP,
        setup=_OTHER_NAME,
    ),
    _tool(
        "curl",
        "http-404",
        "http-error",
        "curl -f http://127.0.0.1:82@m/@thing",
        "curl -fsS http://127.0.0.1:82@m/@other",
        files=_HTTP,
        setup="python .serve.py 82@m 404 & sleep 0.7",
    ),
    _tool(
        "curl",
        "http-503",
        "http-error",
        "curl -f http://127.0.0.1:82@m/@thing",
        "curl -fsS http://127.0.0.1:82@m/@other",
        files=_HTTP,
        setup="python .serve.py 82@m 503 & sleep 0.7",
    ),
    _tool(
        "curl",
        "tls-to-plain-port",
        "tls",
        "curl https://127.0.0.1:82@m/@thing",
        "curl -sS https://127.0.0.1:82@m/",
        files=_HTTP,
        setup="python .serve.py 82@m 200 & sleep 0.7",
    ),
    _tool(
        "curl",
        "unsupported-protocol",
        "unsupported-protocol",
        "curl htp://127.0.0.1/@thing",
        "curl -sS htp://localhost:80/@n",
    ),
    _tool(
        "curl",
        "unknown-option",
        "usage",
        "curl --retrys @n http://127.0.0.1/",
        "curl -sS --retrys @n http://localhost/@thing",
    ),
    _tool(
        "curl",
        "timeout",
        "timeout",
        "curl -m 1 http://127.0.0.1:70@m/",
        "curl -sS --max-time 1 http://127.0.0.1:70@m/@thing",
        setup=(
            "python -c \"import socket,time; s=socket.create_server(('127.0.0.1',70@m)); time.sleep(60)\" & sleep 0.5"
        ),
    ),
    _tool(
        "curl",
        "empty-reply",
        "empty-reply",
        "curl http://127.0.0.1:71@m/",
        "curl -sS http://127.0.0.1:71@m/@thing",
        setup=(
            "python -c \"import socket; s=socket.create_server(('127.0.0.1',71@m)); c,_=s.accept(); "
            'c.recv(99); c.close()" & sleep 0.5'
        ),
    ),
    _tool(
        "wget",
        "connection-refused",
        "connection-refused",
        "wget -t1 http://127.0.0.1:60@m/@thing",
        "wget -t1 -nv http://localhost:61@m/@other.tgz",
    ),
    _tool(
        "wget",
        "resolve",
        "resolve",
        "wget -t1 https://@thing.example.com/",
        "wget -nv https://@other.example.org/@thing.tgz",
    ),
    _tool(
        "wget",
        "http-404",
        "http-error",
        "wget http://127.0.0.1:82@m/@thing",
        "wget -nv http://127.0.0.1:82@m/@other.tgz",
        files=_HTTP,
        setup="python .serve.py 82@m 404 & sleep 0.7",
    ),
    _tool(
        "wget",
        "self-signed-certificate",
        "certificate",
        "wget https://localhost:84@m/",
        "wget -nv https://localhost:84@m/@thing",
        files=_HTTP,
        setup=_TLS,
    ),
    _tool(
        "ssh",
        "connection-refused",
        "connection-refused",
        "ssh -p 60@m 127.0.0.1 uptime",
        "ssh -p 61@m @user@localhost 'ls @thing'",
        version="ssh -V",
    ),
    _tool(
        "ssh",
        "resolve",
        "resolve",
        "ssh @thing.example.com",
        "ssh -l deploy @other.example.org uptime",
        version="ssh -V",
    ),
    _tool(
        "ssh",
        "permission-denied-publickey",
        "permission-denied",
        "ssh -o StrictHostKeyChecking=no -o BatchMode=yes -p 22@m 127.0.0.1 true",
        "ssh -o StrictHostKeyChecking=no -o BatchMode=yes -p 22@m @user@127.0.0.1 'ls @thing'",
        root=(
            "ssh-keygen -q -t ed25519 -N '' -f /tmp/hk && mkdir -p /run/sshd && /usr/sbin/sshd -h /tmp/hk -p "
            "22$([ -d /home/dana ] && echo 17 || echo 83) -o PasswordAuthentication=no -o UsePAM=no -o "
            "PidFile=none && sleep 0.5"
        ),
        version="ssh -V",
    ),
    _tool(
        "ssh",
        "host-key-verification-failed",
        "host-key",
        "ssh -o BatchMode=yes -p 22@m 127.0.0.1 true",
        "ssh -o BatchMode=yes -p 22@m @user@127.0.0.1 'ls @thing'",
        root=(
            "ssh-keygen -q -t ed25519 -N '' -f /tmp/hk && mkdir -p /run/sshd && /usr/sbin/sshd -h /tmp/hk -p "
            "22$([ -d /home/dana ] && echo 17 || echo 83) -o PasswordAuthentication=no -o UsePAM=no -o "
            "PidFile=none && sleep 0.5"
        ),
        version="ssh -V",
    ),
    _tool(
        "ssh",
        "identity-file-too-open",
        "key-permissions",
        "ssh-keygen -y -f @thing.pem",
        "ssh-keygen -yf keys/@thing.pem",
        files={},
        setup=(
            "mkdir -p keys; ssh-keygen -q -t ed25519 -N '' -f @thing.pem && cp @thing.pem keys/ && chmod 644 "
            "@thing.pem keys/@thing.pem"
        ),
        version="ssh -V",
    ),
    _tool(
        "ssh",
        "keygen-no-such-file",
        "no-such-file",
        "ssh-keygen -l -f @thing.pub",
        "ssh-keygen -lf keys/@other.pub",
        version="ssh -V",
    ),
    _tool(
        "ssh",
        "bad-configuration-option",
        "configuration",
        "ssh -F config 127.0.0.1",
        "ssh -F config @thing",
        files={"config": "Host *\n  Prot 2@n\n"},
        version="ssh -V",
    ),
    _tool(
        "scp",
        "no-such-file",
        "no-such-file",
        "scp @thing.txt /tmp/@other/x",
        "scp -q lib/@thing.txt /tmp/",
        version="ssh -V",
    ),
    _tool("rsync", "no-such-file", "no-such-file", "rsync -a @thing/ /tmp/@other/", "rsync -av build/@thing /tmp/"),
    _tool(
        "rsync",
        "connection-refused",
        "connection-refused",
        "rsync rsync://127.0.0.1:60@m/@thing .",
        "rsync -a rsync://localhost:61@m/@other/ .",
    ),
    _tool(
        "uvicorn",
        "cannot-import-app-main",
        "cannot-import",
        "uvicorn main:app",
        "uvicorn main:app --port 80@m",
        wraps=("make",),
    ),
    _tool(
        "uvicorn",
        "no-attribute-app",
        "no-attribute",
        "uvicorn @file:app",
        files={"@file.py": "@pad\napplication = None\n"},
    ),
    _tool(
        "uvicorn",
        "address-in-use",
        "address-in-use",
        "uvicorn @file:app --port 82@m",
        files={"@file.py": "async def app(scope, receive, send): ...\n"},
        setup="python -m http.server --bind 127.0.0.1 82@m > /dev/null 2>&1 & sleep 0.7",
    ),
    _tool("flask", "could-not-locate-app", "no-application", "flask run", "flask --debug run -p 80@m"),
    _tool("flask", "import-error-no-module-wsgi", "import", "flask --app wsgi run", "flask --app wsgi routes"),
    _tool(
        "django",
        "no-module-named-settings",
        "settings-module",
        "django-admin check --settings shop_settings",
        "DJANGO_SETTINGS_MODULE=shop_settings django-admin migrate",
        version="django-admin --version",
    ),
    _tool(
        "django",
        "settings-not-configured",
        "not-configured",
        "django-admin check",
        "django-admin runserver 80@m",
        version="django-admin --version",
    ),
    _tool("django", "unknown-command", "unknown-command", "django-admin migrat", version="django-admin --version"),
    _tool(
        "django",
        "system-check-E301-user-model",
        "system-check",
        "django-admin check --settings @file --pythonpath .",
        files={
            "@file.py": "SECRET_KEY = '@thing'\nINSTALLED_APPS = ['catalog']\n",
            "catalog/__init__.py": "",
            "catalog/models.py": (
                "from django.db import models\n\n@pad\nclass @Thing(models.Model):\n"
                "    owner = models.ForeignKey('people.Owner', models.CASCADE)\n\n    class Meta:\n"
                "        app_label = 'catalog'\n"
            ),
        },
        version="django-admin --version",
    ),
    _tool("alembic", "no-config", "no-config", "alembic upgrade head", "alembic revision -m '@verb @thing'"),
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
    _tool(
        "psql",
        "connection-refused",
        "connection-refused",
        "psql -h 127.0.0.1 -p 60@m -U @user -c 'select 1'",
        "psql postgresql://@user@localhost:61@m/@thing -c 'select @n'",
        wraps=("make",),
    ),
    _tool("psql", "no-socket", "no-socket", "psql -U @user -c 'select 1'", "psql -h /tmp/@thing -d @other"),
    _tool(
        "psql",
        "no-such-database-shop",
        "no-such-database",
        "psql -h 127.0.0.1 -p 54@m -U app -d storefront -c 'select 1'",
        "psql postgresql://app@127.0.0.1:54@m/storefront -c 'select @n'",
        setup=_PG,
    ),
    _tool(
        "psql",
        "no-such-role-webapp",
        "no-such-role",
        "psql -h 127.0.0.1 -p 54@m -U webapp -d postgres -c 'select 1'",
        "psql postgresql://webapp@127.0.0.1:54@m/postgres -c 'select @n'",
        setup=_PG,
    ),
    _tool(
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
    _tool(
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
    _tool(
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
    _tool(
        "mysql",
        "connection-refused",
        "connection-refused",
        "mariadb --no-defaults -h 127.0.0.1 -P 60@m -u @user",
        "mariadb --no-defaults -h 127.0.0.1 -P 61@m -u root @thing",
        version="mariadb --version",
    ),
    _tool(
        "mysql",
        "no-socket",
        "no-socket",
        "mariadb --no-defaults -u @user",
        "mariadb --no-defaults -u root @thing -e 'select @n'",
        version="mariadb --version",
    ),
    _tool(
        "mysql",
        "unknown-database-storefront",
        "unknown-database",
        f"{_MARIADB} storefront -e 'select 1'",
        f"{_MARIADB} -D storefront -e 'select @n'",
        setup=_MYSQL,
        version="mariadb --version",
    ),
    _tool(
        "mysql",
        "access-denied-webapp",
        "access-denied",
        "mariadb --no-defaults -h 127.0.0.1 -P 33@m -u webapp -pwrong -e 'select 1'",
        "mariadb --no-defaults -h 127.0.0.1 -P 33@m -u webapp -pnope @thing",
        setup=_MYSQL,
        version="mariadb --version",
    ),
    _tool(
        "redis-cli",
        "connection-refused",
        "connection-refused",
        "redis-cli -p 60@m ping",
        "redis-cli -h 127.0.0.1 -p 61@m get @thing",
        wraps=("make",),
    ),
    _tool(
        "redis-cli",
        "wrong-type",
        "wrong-type",
        "redis-cli -e -p 63@m lpush @thing @n",
        "redis-cli -e -p 63@m hget @thing @other",
        setup=f"{_REDIS}; redis-cli -p 63@m set @thing 1",
    ),
    _tool("redis-cli", "unknown-command-gett", "unknown-command", "redis-cli -e -p 63@m gett @thing", setup=_REDIS),
    _tool(
        "redis-cli",
        "noauth",
        "noauth",
        "redis-cli -e -p 63@m get @thing",
        setup="redis-server --port 63@m --requirepass x --daemonize yes --save '' > /dev/null; sleep 0.5",
    ),
    _tool(
        "docker",
        "daemon-not-running",
        "daemon-unreachable",
        "docker ps",
        "docker build -t @thing:@n .",
        files={"Dockerfile": "FROM scratch\n"},
        wraps=("make", "npm", "ci"),
    ),
    _tool("docker", "unknown-command", "unknown-command", "docker biuld .", "docker biuld -t @thing ."),
    _tool("docker", "unknown-flag", "unknown-flag", "docker run --rmm @thing", "docker run --rmm -it @other:@n"),
    _tool(
        "docker",
        "tcp-daemon-refused",
        "daemon-refused",
        "DOCKER_HOST=tcp://127.0.0.1:60@m docker ps",
        "DOCKER_HOST=tcp://127.0.0.1:61@m docker images @thing",
    ),
    _tool(
        "docker",
        "invalid-reference-format",
        "invalid-reference",
        "docker run @Thing:@n:x",
        "docker run -it @Other::latest",
    ),
    _tool(
        "kubectl",
        "connection-refused",
        "connection-refused",
        f"{_KUBECTL} get pods",
        f"{_KUBECTL} apply -f @thing.yaml",
        files={**_KUBE, "@thing.yaml": "kind: Pod\napiVersion: v1\nmetadata: {name: x}\n"},
        wraps=("make", "ci"),
    ),
    _tool("kubectl", "no-configuration", "no-configuration", "kubectl get pods", "kubectl -n @thing get deploy @other"),
    _tool(
        "kubectl",
        "context-not-found-staging",
        "no-context",
        f"{_KUBECTL} --context staging get pods",
        f"{_KUBECTL} --context=staging -n @thing get svc",
        files=_KUBE,
    ),
    _tool("kubectl", "unknown-command", "unknown-command", "kubectl gett pods", "kubectl gett svc/@thing"),
    _tool(
        "kubectl",
        "file-not-found-deploy.yaml",
        "file-not-found",
        f"{_KUBECTL} apply -f deploy.yaml",
        f"{_KUBECTL} create -f deploy.yaml",
        files=_KUBE,
    ),
    _tool(
        "kubectl",
        "yaml-error",
        "yaml",
        f"{_KUBECTL} apply --dry-run=client -f @thing.yaml",
        files={**_KUBE, "@thing.yaml": "kind: Pod\n  apiVersion: v@n\n"},
    ),
    _tool(
        "kubectl",
        "config-unreadable",
        "config",
        "kubectl --kubeconfig @thing.yaml get pods",
        files={"@thing.yaml": "{{ @n\n"},
    ),
    _terraform(
        "undeclared-variable-region",
        "undeclared-variable",
        'output "@thing" {\n  value = var.region\n}\n',
        wraps=("make", "ci"),
    ),
    _terraform(
        "undeclared-resource-bucket",
        "undeclared-resource",
        'output "@thing" {\n  value = terraform_data.bucket.output\n}\n',
    ),
    _terraform(
        "unsupported-argument-nme", "unsupported-argument", 'resource "terraform_data" "@thing" {\n  nme = @n\n}\n'
    ),
    _terraform("missing-brace", "syntax", 'resource "terraform_data" "@thing" {\n  input = @n\n'),
    _terraform("duplicate-variable-region", "duplicate", 'variable "region" {}\nvariable "region" {}\n'),
    _terraform("function-unknown-uper", "unknown-function", 'output "@thing" {\n  value = uper("@n")\n}\n'),
    _terraform(
        "provider-unavailable",
        "provider-unavailable",
        'terraform {\n  required_providers {\n    shop = { source = "127.0.0.1:41@m/acme/shop" }\n  }\n}\n',
        "terraform init -no-color",
    ),
    _terraform(
        "not-initialised-module",
        "not-initialised",
        'module "@thing" {\n  source = "./modules/@other"\n}\n',
        "terraform plan -no-color",
        "terraform apply -auto-approve",
    ),
    _terraform(
        "required-variable-unset-region",
        "no-value",
        'variable "region" {}\noutput "x" {\n  value = var.region\n}\n',
        "terraform plan -no-color -input=false",
        "terraform apply -input=false -auto-approve",
    ),
    _terraform(
        "invalid-index", "invalid-index", 'output "@thing" {\n  value = [1, 2][@n]\n}\n', "terraform plan -no-color"
    ),
    Case(
        "terraform",
        "terraform-no-configuration-files",
        "terraform-no-configuration",
        "terraform plan -no-color",
        b_command="terraform apply",
    ),
    _tool(
        "ansible",
        "playbook-not-found",
        "playbook-not-found",
        "ansible-playbook site.yml",
        "ansible-playbook -i hosts site.yml",
        version="ansible --version",
        files={"hosts": "localhost\n"},
    ),
    _tool(
        "ansible",
        "yaml-syntax",
        "yaml-syntax",
        "ansible-playbook @thing.yml",
        "ansible-playbook -i localhost, @thing.yml",
        files={"@thing.yml": "- hosts: localhost\n  tasks:\n   - name: @verb\n    shell: true\n"},
        version="ansible --version",
    ),
    _tool(
        "ansible",
        "unknown-module-aptt",
        "unknown-module",
        "ansible-playbook -c local -i localhost, @thing.yml",
        files={
            "@thing.yml": (
                "@pad\n- hosts: all\n  gather_facts: false\n  tasks:\n    - name: @verb @thing\n      aptt: name=x\n"
            )
        },
        version="ansible --version",
    ),
    _tool(
        "ansible",
        "command-failed-protocx",
        "task-failed",
        "ansible-playbook -c local -i localhost, @thing.yml",
        files={
            "@thing.yml": (
                "@pad\n- hosts: all\n  gather_facts: false\n  tasks:\n    - name: @verb @thing\n"
                "      ansible.builtin.command: protocx --version\n"
            )
        },
        version="ansible --version",
    ),
    _tool(
        "ansible",
        "undefined-variable-region",
        "undefined-variable",
        "ansible-playbook -c local -i localhost, @thing.yml",
        files={
            "@thing.yml": (
                "@pad\n- hosts: all\n  gather_facts: false\n  tasks:\n    - name: @verb @thing\n"
                "      ansible.builtin.debug:\n        msg: '{{ region }}'\n"
            )
        },
        version="ansible --version",
    ),
    _tool(
        "ansible",
        "unreachable",
        "unreachable",
        "ansible -i 127.0.0.1:60@m, all -m ping",
        "ansible -i 127.0.0.1:61@m, all -m ping -u @user",
        version="ansible --version",
    ),
    _tool(
        "nginx",
        "unknown-directive-lisen",
        "unknown-directive",
        "nginx -t -c $PWD/@thing.conf",
        files={"@thing.conf": "@pad\npid /tmp/n.pid;\nevents {}\nhttp {\n  server {\n    lisen 80@m;\n  }\n}\n"},
        version="nginx -v",
    ),
    _tool(
        "nginx",
        "missing-semicolon",
        "unexpected",
        "nginx -t -c $PWD/@thing.conf",
        files={"@thing.conf": "@pad\npid /tmp/n.pid;\nevents {}\nhttp {\n  server {\n    listen 80@m\n  }\n}\n"},
        version="nginx -v",
    ),
    _tool(
        "protoc",
        "file-not-found",
        "file-not-found",
        "protoc --python_out=. @thing.proto",
        "protoc -I. --cpp_out=/tmp lib/@other.proto",
    ),
    _tool(
        "protoc",
        "undefined-type-Money",
        "undefined-type",
        "protoc --python_out=. @thing.proto",
        files={"@thing.proto": 'syntax = "proto3";\n@pad\nmessage @Thing {\n  Money price = @n;\n}\n'},
    ),
    _tool(
        "protoc",
        "import-not-found-common.proto",
        "import-not-found",
        "protoc --python_out=. @thing.proto",
        files={"@thing.proto": 'syntax = "proto3";\n@pad\nimport "common.proto";\n'},
    ),
    _tool(
        "protoc",
        "syntax",
        "syntax",
        "protoc --python_out=. @thing.proto",
        files={"@thing.proto": 'syntax = "proto3";\n@pad\nmessage @Thing {\n  int32 price = @n\n}\n'},
    ),
    _tool(
        "duckdb",
        "no-such-table-invoices",
        "no-such-table",
        'duckdb -c "select @n from invoices"',
        "duckdb @thing.db -c 'select id from invoices'",
    ),
    _tool(
        "duckdb",
        "parser-error",
        "parser",
        'duckdb -c "select id, frm invoices where"',
        "duckdb @thing.db -c 'select @n frm x where'",
    ),
    _tool(
        "sphinx",
        "no-conf-py",
        "no-conf",
        "sphinx-build . _build",
        "sphinx-build -b html docs out",
        files={"docs/x": ""},
        version="sphinx-build --version",
    ),
    _tool(
        "sphinx",
        "missing-extension-sphinx_tabsx",
        "extension",
        "sphinx-build . _build",
        files={"conf.py": "@pad\nextensions = ['sphinx_tabsx']\n", "index.rst": "@thing\n"},
        version="sphinx-build --version",
    ),
    _tool("mkdocs", "no-config", "no-config", "mkdocs build", "mkdocs serve -a 127.0.0.1:80@m"),
    _tool(
        "mkdocs",
        "unknown-theme-material",
        "theme",
        "mkdocs build",
        files={"mkdocs.yml": "@pad\nsite_name: @thing\ntheme: material\n", "docs/index.md": "# @thing\n"},
    ),
    _tool(
        "xmllint",
        "tag-mismatch",
        "tag-mismatch",
        "xmllint --noout @thing.xml",
        "xmllint @thing.xml",
        files={"@thing.xml": "<@thing>\n  <@other>@n</@thing>\n"},
    ),
    _tool("busybox", "applet-not-found", "applet", "busybox gitt", "busybox gitt @thing", version="busybox"),
    _tool("systemctl", "no-systemd", "no-systemd", "systemctl restart @thing", "systemctl status @other.service"),
    _tool(
        "apt-get",
        "permission-lock",
        "permission",
        "apt-get install @thing",
        "apt-get -y install @other",
        version="apt-get --version",
    ),
    _tool("dpkg", "not-installed", "not-installed", "dpkg -s @thing-server", "dpkg -s lib@other@n"),
    _tool("crontab", "no-crontab", "no-crontab", "crontab -l", "crontab -l -u @user"),
    _tool("mount", "permission", "permission", "mount -t tmpfs none /srv", "mount /dev/sd@n /mnt"),
]
