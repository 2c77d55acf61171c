"""Programs that speak over a network: curl, wget, ssh, rsync; and servers that do not start."""

from __future__ import annotations

from tests.recorded.record.case import code
from tests.recorded.record.shapes import tool

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

CASES = [
    tool(
        "curl",
        "connection-refused",
        "connection-refused",
        "curl http://127.0.0.1:60@m/@thing",
        "curl -sS -X POST http://localhost:61@m/@other -d id=@n",
        wraps=("tty", "make", "ci", "xargs"),
    ),
    tool(
        "curl",
        "could-not-resolve-host",
        "resolve",
        "curl https://@thing.example.com/",
        "curl -fsSL https://@other.example.org/@thing.sh",
        wraps=("make",),
    ),
    tool(
        "curl",
        "self-signed-certificate",
        "certificate",
        "curl https://localhost:84@m/",
        "curl -sS https://localhost:84@m/@thing",
        files=_HTTP,
        setup=_TLS,
    ),
    tool(
        "curl",
        "certificate-name-mismatch",
        "certificate-name",
        "curl --cacert /tmp/cert.pem https://localhost:84@m/",
        "curl -sS --cacert /tmp/cert.pem https://localhost:84@m/@thing",
        files=_HTTP,
        setup=_OTHER_NAME,
    ),
    tool(
        "curl",
        "http-404",
        "http-error",
        "curl -f http://127.0.0.1:82@m/@thing",
        "curl -fsS http://127.0.0.1:82@m/@other",
        files=_HTTP,
        setup="python .serve.py 82@m 404 & sleep 0.7",
    ),
    tool(
        "curl",
        "http-503",
        "http-error",
        "curl -f http://127.0.0.1:82@m/@thing",
        "curl -fsS http://127.0.0.1:82@m/@other",
        files=_HTTP,
        setup="python .serve.py 82@m 503 & sleep 0.7",
    ),
    tool(
        "curl",
        "tls-to-plain-port",
        "tls",
        "curl https://127.0.0.1:82@m/@thing",
        "curl -sS https://127.0.0.1:82@m/",
        files=_HTTP,
        setup="python .serve.py 82@m 200 & sleep 0.7",
    ),
    tool(
        "curl",
        "unsupported-protocol",
        "unsupported-protocol",
        "curl htp://127.0.0.1/@thing",
        "curl -sS htp://localhost:80/@n",
    ),
    tool(
        "curl",
        "unknown-option",
        "usage",
        "curl --retrys @n http://127.0.0.1/",
        "curl -sS --retrys @n http://localhost/@thing",
    ),
    tool(
        "curl",
        "timeout",
        "timeout",
        "curl -m 1 http://127.0.0.1:70@m/",
        "curl -sS --max-time 1 http://127.0.0.1:70@m/@thing",
        setup=(
            "python -c \"import socket,time; s=socket.create_server(('127.0.0.1',70@m)); time.sleep(60)\" & sleep 0.5"
        ),
    ),
    tool(
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
    tool(
        "wget",
        "connection-refused",
        "connection-refused",
        "wget -t1 http://127.0.0.1:60@m/@thing",
        "wget -t1 -nv http://localhost:61@m/@other.tgz",
    ),
    tool(
        "wget",
        "resolve",
        "resolve",
        "wget -t1 https://@thing.example.com/",
        "wget -nv https://@other.example.org/@thing.tgz",
    ),
    tool(
        "wget",
        "http-404",
        "http-error",
        "wget http://127.0.0.1:82@m/@thing",
        "wget -nv http://127.0.0.1:82@m/@other.tgz",
        files=_HTTP,
        setup="python .serve.py 82@m 404 & sleep 0.7",
    ),
    tool(
        "wget",
        "self-signed-certificate",
        "certificate",
        "wget https://localhost:84@m/",
        "wget -nv https://localhost:84@m/@thing",
        files=_HTTP,
        setup=_TLS,
    ),
    tool(
        "ssh",
        "connection-refused",
        "connection-refused",
        "ssh -p 60@m 127.0.0.1 uptime",
        "ssh -p 61@m @user@localhost 'ls @thing'",
        version="ssh -V",
    ),
    tool(
        "ssh",
        "resolve",
        "resolve",
        "ssh @thing.example.com",
        "ssh -l deploy @other.example.org uptime",
        version="ssh -V",
    ),
    tool(
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
    tool(
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
    tool(
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
    tool(
        "ssh",
        "keygen-no-such-file",
        "no-such-file",
        "ssh-keygen -l -f @thing.pub",
        "ssh-keygen -lf keys/@other.pub",
        version="ssh -V",
    ),
    tool(
        "ssh",
        "bad-configuration-option",
        "configuration",
        "ssh -F config 127.0.0.1",
        "ssh -F config @thing",
        files={"config": "Host *\n  Prot 2@n\n"},
        version="ssh -V",
    ),
    tool("rsync", "no-such-file", "no-such-file", "rsync -a @thing/ /tmp/@other/", "rsync -av build/@thing /tmp/"),
    tool(
        "rsync",
        "connection-refused",
        "connection-refused",
        "rsync rsync://127.0.0.1:60@m/@thing .",
        "rsync -a rsync://localhost:61@m/@other/ .",
    ),
    tool(
        "uvicorn",
        "cannot-import-app-main",
        "cannot-import",
        "uvicorn main:app",
        "uvicorn main:app --port 80@m",
        wraps=("make",),
    ),
    tool(
        "uvicorn",
        "no-attribute-app",
        "no-attribute",
        "uvicorn @file:app",
        files={"@file.py": "@pad\napplication = None\n"},
    ),
    tool(
        "uvicorn",
        "address-in-use",
        "address-in-use",
        "uvicorn @file:app --port 82@m",
        files={"@file.py": "async def app(scope, receive, send): ...\n"},
        setup="python -m http.server --bind 127.0.0.1 82@m > /dev/null 2>&1 & sleep 0.7",
    ),
    tool("flask", "could-not-locate-app", "no-application", "flask run", "flask --debug run -p 80@m"),
    tool("flask", "import-error-no-module-wsgi", "import", "flask --app wsgi run", "flask --app wsgi routes"),
    tool(
        "django",
        "no-module-named-settings",
        "settings-module",
        "django-admin check --settings shop_settings",
        "DJANGO_SETTINGS_MODULE=shop_settings django-admin migrate",
        version="django-admin --version",
    ),
    tool(
        "django",
        "settings-not-configured",
        "not-configured",
        "django-admin check",
        "django-admin runserver 80@m",
        version="django-admin --version",
    ),
    tool("django", "unknown-command", "unknown-command", "django-admin migrat", version="django-admin --version"),
    tool(
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
    tool(
        "nginx",
        "unknown-directive-lisen",
        "unknown-directive",
        "nginx -t -c $PWD/@thing.conf",
        files={"@thing.conf": "@pad\npid /tmp/n.pid;\nevents {}\nhttp {\n  server {\n    lisen 80@m;\n  }\n}\n"},
        version="nginx -v",
    ),
    tool(
        "nginx",
        "missing-semicolon",
        "unexpected",
        "nginx -t -c $PWD/@thing.conf",
        files={"@thing.conf": "@pad\npid /tmp/n.pid;\nevents {}\nhttp {\n  server {\n    listen 80@m\n  }\n}\n"},
        version="nginx -v",
    ),
]
