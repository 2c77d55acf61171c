"""Python programs that end in a traceback."""

from __future__ import annotations

from tests.recorded.record.case import Case, code, python

_MISSING = "python-missing-module"

_TLS = """import http.server, ssl, subprocess, threading, urllib.request
---
subprocess.run(
    "openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=@thing.example",
    shell=True, stderr=subprocess.DEVNULL,
)
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("c.pem", "k.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
server.handle_error = lambda *_: None
threading.Thread(target=server.serve_forever, daemon=True).start()
place = f"https://localhost:{server.server_port}/@thing"
if True:
"""


def _syntax(cause: str, broken: str, family: str = "python-syntax-error", b: str = "") -> Case:
    """A file that cannot be compiled; the second take imports it."""
    other = {"@dir/@other.py": f"@pad\n{code(b or broken)}", "@file.py": "import @dir.@other\n", "@dir/__init__.py": ""}
    return Case("python", cause, family, "python @file.py", {"@file.py": f"@pad\n{code(broken)}"}, b_files=other)


CASES = [
    python(
        "python-missing-module-orjson", _MISSING, "import orjson\n", wraps=("tty", "make", "ci", "tox", "colour", "npm")
    ),
    python("python-missing-module-yaml", _MISSING, "import yaml\n", wraps=("make", "job", "just")),
    python("python-missing-module-boto3", _MISSING, "import boto3\nboto3.client('s3')\n"),
    python("python-missing-submodule-of-json", "python-missing-submodule", "import json.fast\n"),
    python("python-missing-submodule-google-cloud", _MISSING, "from google.cloud import storage\n"),
    Case(
        "python",
        "python-not-on-path-src-layout-catalog",
        _MISSING,
        "python scripts/@file.py",
        {
            "scripts/@file.py": "@pad\nfrom catalog.models import @Thing\n",
            "src/catalog/models.py": "class @Thing: ...\n",
        },
        wraps=("xargs",),
    ),
    python(
        "python-import-name-cached_property-json",
        "python-import-name",
        "from json import @pad_nothing\n".replace("@pad_nothing", "cached_loads"),
    ),
    python(
        "python-import-name-collections-mapping",
        "python-import-name",
        "from collections import Mapping\n",
        wraps=("ci",),
    ),
    Case(
        "python",
        "python-circular-import",
        "python-circular-import",
        "python @file.py",
        {
            "@file.py": "import @thing\n",
            "@thing.py": "@pad\nfrom @other import @Other\n\nclass @Thing: ...\n",
            "@other.py": "from @thing import @Thing\n\nclass @Other: ...\n",
        },
    ),
    Case(
        "python",
        "python-relative-import-no-package",
        "python-relative-import",
        "python @file.py",
        {"@file.py": "@pad\nfrom . import @thing\n"},
        "python @dir/@file.py",
        {"@dir/@file.py": "@pad\nfrom . import @thing\n", "@dir/__init__.py": ""},
    ),
    python(
        "python-keyerror-DATABASE_URL",
        "python-missing-environment-variable",
        "import os\nos.environ['DATABASE_URL']\n",
        wraps=("make", "colour"),
    ),
    python(
        "python-keyerror-SECRET_TOKEN", "python-missing-environment-variable", "import os\nos.environ['SECRET_TOKEN']\n"
    ),
    python("python-keyerror-currency", "python-key-error", "@thing = {'total': @n}\n@thing['currency']\n"),
    python(
        "python-attribute-none-strip",
        "python-attribute-of-none",
        "@thing = {}.get('@other')\n@thing.strip()\n",
        wraps=("make", "ci"),
    ),
    python(
        "python-attribute-none-group", "python-attribute-of-none", "import re\nre.match('x@n', '@thing').group(1)\n"
    ),
    python("python-attribute-module-removed", "python-attribute-error", "import asyncio\nasyncio.async_start(@n)\n"),
    python("python-name-error-datetime", "python-name-error", "print(datetime.now())\n"),
    python("python-name-error-logger", "python-name-error", "logger.info('@thing')\n"),
    python("python-type-error-str-plus-int", "python-type-error", "@thing = '@other: ' + @n\n"),
    python(
        "python-type-error-missing-argument-timeout",
        "python-type-error-arguments",
        "def connect(url, timeout):\n    return url\n\n---\nconnect('@thing')\n",
    ),
    python(
        "python-type-error-unexpected-keyword-retries",
        "python-type-error-arguments",
        "def connect(url):\n    return url\n\n---\nconnect('@thing', retries=@n)\n",
    ),
    python("python-type-error-not-subscriptable-none", "python-type-error", "@thing = None\n@thing['@other']\n"),
    python("python-value-error-int-literal", "python-value-error", "int('@thing @n')\n"),
    python("python-value-error-unpack", "python-value-error", "@thing, @other = [@n, @m, 5]\n"),
    python("python-zero-division", "python-zero-division", "@other = @n / len([])\n", wraps=("colour", "task")),
    python("python-index-error-list", "python-index-error", "@thing = [1, 2]\n@thing[@n]\n"),
    python("python-file-not-found-config-toml", "python-file-not-found", "open('config.toml')\n", wraps=("ci",)),
    python("python-file-not-found-dotenv", "python-file-not-found", "open('.env')\n"),
    python("python-permission-error", "python-permission-error", "open('/etc/@thing.conf', 'w')\n"),
    python("python-is-a-directory", "python-is-a-directory", "open('/usr/lib')\n"),
    python("python-json-decode-empty", "python-json-decode", "import json\njson.loads('')\n"),
    python("python-json-decode-trailing-comma", "python-json-decode", "import json\njson.loads('{\"@thing\": @n,}')\n"),
    python("python-unicode-decode-latin1", "python-unicode-decode", "b'@thing caf\\xe9 @n'.decode('utf-8')\n"),
    python("python-unicode-encode-ascii", "python-unicode-encode", "'@thing \\u20ac @n'.encode('ascii')\n"),
    python(
        "python-connection-refused",
        "python-connection-refused",
        "import socket\nsocket.create_connection(('127.0.0.1', 60@m))\n",
    ),
    python(
        "python-dns-failure", "python-name-resolution", "import socket\nsocket.getaddrinfo('@thing.example.com', 443)\n"
    ),
    python(
        "python-requests-connection-refused",
        "python-connection-refused",
        "import requests\nrequests.get('http://127.0.0.1:61@m/@thing')\n",
    ),
    python(
        "python-address-in-use",
        "python-address-in-use",
        "import socket\na = socket.create_server(('127.0.0.1', 80@m))\nb = socket.create_server(('127.0.0.1', 80@m))\n",
    ),
    python(
        "python-sqlite-no-such-table-invoices",
        "python-sqlite-operational",
        "import sqlite3\nsqlite3.connect(':memory:').execute('select @n from invoices')\n",
    ),
    python(
        "python-sqlite-no-such-column-email",
        "python-sqlite-operational",
        (
            "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table @thing (id)')\n"
            "c.execute('select email from @thing')\n"
        ),
    ),
    python(
        "python-sqlite-unique",
        "python-sqlite-integrity",
        (
            "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table account (id unique)')\n"
            "c.execute('insert into account values (@n), (@n)')\n"
        ),
    ),
    python(
        "python-sqlalchemy-no-such-table-invoices",
        "python-sqlalchemy-operational",
        (
            "from sqlalchemy import create_engine, text\n"
            "create_engine('sqlite://').connect().execute(text('select @n from invoices'))\n"
        ),
    ),
    python(
        "python-pydantic-missing-field-email",
        "python-pydantic-validation",
        (
            "from pydantic import BaseModel\n\nclass Account(BaseModel):\n    email: str\n    @thing: int = 0\n"
            "\n---\nAccount(@thing=@n)\n"
        ),
    ),
    python("python-numpy-shapes", "python-value-error", "import numpy\nnumpy.ones((@n, 4)) @ numpy.ones((@m, 2))\n"),
    python("python-recursion", "python-recursion", "def @verb(@thing):\n    return @verb(@thing + @n)\n\n@verb(0)\n"),
    python(
        "python-memory-error",
        "python-memory-error",
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))\n@thing = [0] * (@n * 10**9)\n",
        wraps=("make",),
    ),
    python(
        "python-subprocess-failed",
        "python-subprocess-failed",
        "import subprocess\nsubprocess.run(['false', '@thing'], check=True)\n",
    ),
    python(
        "python-subprocess-no-ffmpeg",
        "python-subprocess-no-program",
        "import subprocess\nsubprocess.run(['ffmpeg-@n'.split('-')[0] + '6', '-i', '@thing.mp4'])\n",
    ),
    python(
        "python-subprocess-no-pandoc",
        "python-subprocess-no-program",
        "import subprocess\nsubprocess.check_output(['pandocx', '@thing.md'])\n",
    ),
    python(
        "python-subprocess-failed-git-rev-parse",
        "python-subprocess-failed",
        "import subprocess\nsubprocess.run(['git', 'rev-parse', '@thing'], check=True, stderr=subprocess.DEVNULL)\n",
    ),
    python(
        "python-subprocess-failed-git-fetch",
        "python-subprocess-failed",
        "import subprocess\nsubprocess.check_output('git fetch @other', shell=True, stderr=subprocess.DEVNULL)\n",
    ),
    python("python-data-file-missing", "python-file-not-found", "open('data/@thing-@n.csv')\n"),
    python("python-no-shared-library-fastx", "python-no-shared-library", "import ctypes\nctypes.CDLL('libfastx.so')\n"),
    python(
        "python-no-shared-library-slowx", "python-no-shared-library", "import ctypes\nctypes.CDLL('libslowx.so.2')\n"
    ),
    python(
        "python-certificate-self-signed",
        "python-certificate",
        f"{_TLS}    urllib.request.urlopen(place)\n",
    ),
    python(
        "python-certificate-another-host",
        "python-certificate",
        f"{_TLS}    urllib.request.urlopen(place, context=ssl.create_default_context(cafile='c.pem'))\n",
    ),
    python(
        "python-pydantic-missing-API_KEY",
        "python-validation",
        "import pydantic\n---\nclass @Thing(pydantic.BaseModel):\n    API_KEY: str\n\n@Thing()\n",
    ),
    python(
        "python-pydantic-missing-DB_URL",
        "python-validation",
        "import pydantic\n---\nclass @Thing(pydantic.BaseModel):\n    DB_URL: str\n\n@Thing()\n",
    ),
    python(
        "python-pydantic-int-parsing-port",
        "python-validation",
        "import pydantic\n---\nclass @Thing(pydantic.BaseModel):\n    port: int\n\n@Thing(port='@other')\n",
    ),
    python("python-assertion-bare", "python-assertion", "@thing = @n\nassert @thing < 0\n"),
    python(
        "python-assertion-message", "python-assertion", "@thing = @n\nassert @thing < 0, 'stock must not be negative'\n"
    ),
    python(
        "python-not-implemented",
        "python-not-implemented",
        "class @Thing:\n    def save(self):\n        raise NotImplementedError\n\n@Thing().save()\n",
    ),
    python(
        "python-dotted-exception-checkout",
        "python-own-exception",
        "class CheckoutError(Exception): ...\n\n---\nraise CheckoutError('card declined')\n",
    ),
    Case(
        "python",
        "python-dotted-exception-payments-refused",
        "python-own-exception",
        "python @file.py",
        {
            "payments/errors.py": "class PaymentRefused(Exception): ...\n",
            "@file.py": "@pad\nfrom payments.errors import PaymentRefused\n\nraise PaymentRefused('limit reached')\n",
        },
        wraps=("colour",),
    ),
    python(
        "python-chained-config",
        "python-chained",
        "try:\n    {}['port']\nexcept KeyError as exc:\n    raise RuntimeError('no port for @thing') from exc\n",
        wraps=("colour",),
    ),
    python(
        "python-during-handling-cleanup",
        "python-during-handling",
        "try:\n    int('@thing')\nexcept ValueError:\n    undefined_cleanup()\n",
    ),
    python(
        "python-exception-group-timeouts",
        "python-exception-group",
        "raise ExceptionGroup('@thing', [TimeoutError('@other @n'), TimeoutError('@verb @m')])\n",
    ),
    python(
        "python-exception-group-value",
        "python-exception-group",
        "raise ExceptionGroup('@thing', [ValueError('row @n'), ValueError('row @m')])\n",
    ),
    python(
        "python-taskgroup-oserror",
        "python-exception-group",
        """
        import asyncio

        async def @verb(port):
            await asyncio.open_connection('127.0.0.1', port)

        async def tasks():
            async with asyncio.TaskGroup() as group:
                group.create_task(@verb(62@m))

        asyncio.run(tasks())
        """,
    ),
    python(
        "python-asyncio-timeout",
        "python-timeout",
        "import asyncio\nasyncio.run(asyncio.wait_for(asyncio.sleep(9), 0.0@n))\n",
    ),
    python(
        "python-asyncio-run-inside-loop",
        "python-runtime-error",
        "import asyncio\n\nasync def @verb():\n    asyncio.run(asyncio.sleep(@n))\n\nasyncio.run(@verb())\n",
    ),
    python(
        "python-thread-exception-value",
        "python-own-exception",
        (
            "import threading, sys\n\ndef @verb():\n    raise LookupError('no worker')\n\n"
            "t = threading.Thread(target=@verb)\nt.start()\nt.join()\nsys.exit(1)\n"
        ),
    ),
    Case(
        "python",
        "python-pickle-lambda",
        "python-pickle",
        "python @file.py",
        {"@file.py": "@pad\nimport pickle\n\npickle.dumps(lambda @thing: @n)\n"},
    ),
    python(
        "python-ssl-version-config",
        "python-ssl",
        "import ssl\nssl.create_default_context(cafile='/etc/ssl/@thing.pem')\n",
    ),
    python("python-decimal-invalid", "python-decimal", "import decimal\ndecimal.Decimal('@thing')\n"),
    python("python-zoneinfo-unknown-mars", "python-zoneinfo", "import zoneinfo\nzoneinfo.ZoneInfo('Mars/Olympus')\n"),
    python(
        "python-frozen-dataclass",
        "python-frozen",
        (
            "import dataclasses\n\n@dataclasses.dataclass(frozen=True)\nclass Account:\n    id: int\n\n---\n"
            "Account(@n).id = @m\n"
        ),
    ),
    python(
        "python-abstract-class-instantiated",
        "python-type-error-abstract",
        "import abc\n\nclass Store(abc.ABC):\n    @abc.abstractmethod\n    def close(self): ...\n\n---\nStore()\n",
    ),
    python("python-stop-iteration", "python-stop-iteration", "next(iter(()))\n"),
    python("python-unhashable-list", "python-type-error", "{[@n]: '@thing'}\n"),
    python(
        "python-unbound-local",
        "python-unbound-local",
        "def @verb():\n    if @n < 0:\n        result = 1\n    return result\n\n@verb()\n",
    ),
    python(
        "python-keyboard-interrupt",
        "python-keyboard-interrupt",
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(@n)\n",
    ),
    _syntax("python-syntax-never-closed-parenthesis", "@thing = (@n +\n@other = 1\n"),
    _syntax("python-syntax-missing-colon", "def @verb(@thing)\n    return @n\n"),
    _syntax("python-syntax-invalid-decimal", "@thing = 1@noun\n".replace("@noun", "abc")),
    _syntax("python-syntax-print-statement", "print '@thing'\n"),
    _syntax("python-syntax-unterminated-string", "@thing = 'unfinished @n\n"),
    _syntax("python-syntax-await-outside", "def @verb():\n    await @thing()\n"),
    _syntax("python-syntax-merge-marker", "<<<<<<< HEAD\n@thing = 1\n=======\n@thing = 2\n>>>>>>> @branch\n"),
    _syntax("python-indentation-expected-block", "def @verb():\nreturn @n\n", "python-indentation"),
    _syntax("python-indentation-unexpected", "@thing = 1\n    @other = @n\n", "python-indentation"),
    _syntax("python-tab-error", "if @n:\n        @thing = 1\n\t@other = 2\n", "python-indentation"),
    Case("python", "python-cannot-open-file", "python-cannot-open-file", "python @file.py", wraps=("make",)),
    Case(
        "python",
        "python-no-module-named-m-celeryx",
        _MISSING,
        "python -m celeryx",
        b_command="python -m celeryx worker -l @thing",
    ),
    Case(
        "python",
        "python-old-version-match",
        "python-syntax-error",
        "/opt/python/3.8.18/bin/python @file.py",
        {"@file.py": "@pad\nmatch @n:\n    case 1:\n        print('@thing')\n"},
        b_command="/opt/python/3.9.18/bin/python @file.py",
    ),
    Case(
        "python",
        "python-old-version-union-type",
        "python-type-error",
        "/opt/python/3.8.18/bin/python @file.py",
        {"@file.py": "@pad\ndef @verb(@thing: int | None) -> None: ...\n"},
        b_command="/opt/python/3.9.18/bin/python -m @file",
    ),
    Case(
        "python",
        "python2-print-function",
        "python-syntax-error",
        "/opt/python/2.7.18/bin/python @file.py",
        {"@file.py": "@pad\n@thing = f'{@n}'\n"},
    ),
]
