"""Python's package tools: pip, uv, poetry, tox, nox, pre-commit and others. The only index is a server of our own."""

from __future__ import annotations

from tests.recorded.record.case import Case, code

_INDEX = code("""
    import http.server
    import io
    import zipfile

    def wheel(name, version):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as file:
            head = f"{name}-{version}.dist-info"
            file.writestr(f"{head}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
            file.writestr(f"{head}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
            file.writestr(f"{head}/RECORD", "")
        return held.getvalue()

    class Index(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.strip("/").split("/")[-1]
            if name.endswith(".whl"):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(wheel(*name.split("-")[:2]))
                return
            found = {"leftpad": ["0.9.0", "1.0.0"], "oldpad": ["0.1.0"]}.get(name)
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            tag = "cp27-cp27m-win32" if name == "oldpad" else "py3-none-any"
            for version in found or ():
                file = f"{name}-{version}-{tag}.whl"
                self.wfile.write(f'<a href="/{file}">{file}</a>'.encode())

        def log_message(self, *_):
            pass

    http.server.HTTPServer(("127.0.0.1", 3141), Index).serve_forever()
    """)
_SERVE = "python .index.py & sleep 0.7"
_AT = "--index-url http://127.0.0.1:3141/simple"
_SERVED = {".index.py": _INDEX}
_SETUP = "from setuptools import setup\n\nsetup(name='@thing', version='0.@n')\n"
_PROJECT = '[project]\nname = "@thing"\nversion = "0.@n.0"\nrequires-python = ">=3.9"\ndependencies = []\n'
_POETRY = (
    '[tool.poetry]\nname = "@thing"\nversion = "0.@n.0"\ndescription = ""\nauthors = []\n'
    'packages = [{include = "@dir"}]\n\n[tool.poetry.dependencies]\npython = ">=3.9"\n'
)

CASES = [
    Case(
        "pip",
        "pip-no-such-package-left-pad-utils",
        "pip-no-matching-distribution",
        f"pip install {_AT} left-pad-utils",
        _SERVED,
        f"pip install {_AT} -r requirements.txt",
        {**_SERVED, "requirements.txt": "@pad\nleft-pad-utils>=1\n"},
        setup=_SERVE,
        wraps=("tty", "make", "ci", "colour"),
    ),
    Case(
        "pip",
        "pip-no-such-package-fastjsonx",
        "pip-no-matching-distribution",
        f"pip install {_AT} fastjsonx==@n.0",
        _SERVED,
        setup=_SERVE,
    ),
    Case(
        "pip",
        "pip-no-such-version-leftpad",
        "pip-no-matching-distribution",
        f"pip install {_AT} leftpad==9.@n",
        _SERVED,
        setup=_SERVE,
    ),
    Case(
        "pip",
        "pip-only-old-platform-oldpad",
        "pip-no-matching-distribution",
        f"pip install {_AT} oldpad",
        _SERVED,
        setup=_SERVE,
    ),
    Case(
        "pip",
        "pip-no-requirements-file",
        "pip-no-requirements-file",
        "pip install -r requirements.txt",
        b_command="pip install -q -r @dir/requirements-dev.txt",
        wraps=("make",),
    ),
    Case(
        "pip",
        "pip-invalid-requirement",
        "pip-invalid-requirement",
        "pip install -r requirements.txt",
        {"requirements.txt": "@pad\n@thing=@n.0\n"},
    ),
    Case(
        "pip",
        "pip-index-unreachable-dns",
        "pip-index-unreachable",
        "pip install --retries 1 --index-url https://pypi.example.com/simple leftpad",
        b_command="pip install --retries 1 --index-url https://mirror.example.org/simple -r requirements.txt",
        b_files={"requirements.txt": "@thing\n"},
    ),
    Case(
        "pip",
        "pip-index-refused",
        "pip-index-unreachable",
        "pip install --retries 1 --index-url http://127.0.0.1:41@m/simple @thing",
    ),
    Case(
        "pip",
        "pip-not-installable-folder",
        "pip-not-installable",
        "pip install .",
        {"@file.py": ""},
        "pip install -e ./@dir",
        {"@dir/@file.py": ""},
        wraps=("make",),
    ),
    Case(
        "pip",
        "pip-setup-py-syntax",
        "pip-build-failed",
        "pip install --no-build-isolation .",
        {"setup.py": "from setuptools import setup\n\nsetup(name='@thing' version='0.@n')\n"},
    ),
    Case(
        "pip",
        "pip-setup-py-missing-module-numpyx",
        "pip-build-failed",
        "pip install --no-build-isolation .",
        {"setup.py": "import numpyx\n" + _SETUP},
        b_files={"setup.py": "@pad\n" + _SETUP.replace("\n\n", "\nimport numpyx\n\n")},
    ),
    Case(
        "pip",
        "pip-externally-managed",
        "pip-externally-managed",
        "/usr/bin/python3 -m pip install @thing",
        env={"LD_LIBRARY_PATH": ""},
        version="/usr/bin/python3 -m pip --version | cut -d' ' -f1,2",
    ),
    Case(
        "pip",
        "pip-conflicting-requirements-leftpad",
        "pip-resolution-impossible",
        f"pip install {_AT} 'leftpad==0.9.0' 'leftpad==1.0.0'",
        _SERVED,
        f"pip install {_AT} -r requirements.txt",
        {**_SERVED, "requirements.txt": "leftpad==1.0.0\nleftpad==0.9.0\n"},
        setup=_SERVE,
    ),
    Case("pip", "pip-unknown-command", "pip-usage", "pip instal @thing"),
    Case(
        "pip",
        "pip-constraint-python-too-old",
        "pip-requires-python",
        "pip install --no-build-isolation .",
        {"pyproject.toml": _PROJECT.replace(">=3.9", ">=3.99")},
    ),
    Case(
        "pip",
        "pip-hash-mismatch-required",
        "pip-hashes",
        f"pip install {_AT} --require-hashes leftpad",
        _SERVED,
        setup=_SERVE,
        b_command=f"pip install {_AT} --require-hashes -r requirements.txt",
        b_files={**_SERVED, "requirements.txt": "leftpad==1.0.0\n"},
    ),
    Case(
        "uv",
        "uv-no-such-package-left-pad-utils",
        "uv-no-solution",
        f"uv pip install {_AT} left-pad-utils",
        _SERVED,
        f"uv pip install {_AT} -r requirements.txt",
        {**_SERVED, "requirements.txt": "left-pad-utils\n"},
        setup=f"{_SERVE}; uv venv -q",
        wraps=("tty", "make", "colour"),
    ),
    Case(
        "uv",
        "uv-no-such-package-fastjsonx",
        "uv-no-solution",
        f"uv pip install {_AT} fastjsonx",
        _SERVED,
        setup=f"{_SERVE}; uv venv -q",
    ),
    Case(
        "uv",
        "uv-no-such-version-leftpad",
        "uv-no-solution",
        f"uv pip install {_AT} 'leftpad>@n'",
        _SERVED,
        setup=f"{_SERVE}; uv venv -q",
    ),
    Case("uv", "uv-no-pyproject", "uv-no-project", "uv sync", b_command="uv lock"),
    Case(
        "uv",
        "uv-pyproject-syntax",
        "uv-toml",
        "uv sync",
        {"pyproject.toml": _PROJECT.replace('"@thing"', '"@thing')},
        b_files={"pyproject.toml": _PROJECT.replace("name", "@pad\nname").replace('"@thing"', '"@thing')},
    ),
    Case(
        "uv",
        "uv-command-not-there-gunicornx",
        "uv-run-missing-command",
        "uv run --offline gunicornx",
        {"pyproject.toml": _PROJECT},
        b_command="uv run --offline gunicornx --workers @n @file:@thing",
    ),
    Case(
        "uv",
        "uv-python-not-found",
        "uv-no-interpreter",
        "uv venv --offline --python 3.6.1",
        b_command="uv run --offline --python 3.6.1 @file.py",
    ),
    Case(
        "uv",
        "uv-index-unreachable",
        "uv-index-unreachable",
        "uv pip install --index-url https://pypi.example.com/simple leftpad",
        setup="uv venv -q",
        env={"UV_HTTP_RETRIES": "0"},
        b_command="uv pip install --index-url https://mirror.example.org/simple @thing",
    ),
    Case(
        "uv",
        "uv-lock-outdated",
        "uv-lock-outdated",
        "uv sync --locked --offline",
        {"pyproject.toml": _PROJECT},
        setup='uv lock -q --offline; sed -i "s/0.@n.0/9.0.0/" pyproject.toml',
    ),
    Case(
        "uv",
        "uv-unknown-extra-docs",
        "uv-unknown-extra",
        "uv sync --offline --extra docs",
        {"pyproject.toml": _PROJECT},
    ),
    Case(
        "poetry",
        "poetry-no-pyproject",
        "poetry-no-project",
        "poetry install",
        b_command="poetry lock",
        wraps=("make", "colour"),
        colour="poetry --ansi install",
    ),
    Case(
        "poetry",
        "poetry-toml-syntax",
        "poetry-toml",
        "poetry install",
        {"pyproject.toml": _POETRY.replace('"@thing"', '"@thing')},
        b_files={"pyproject.toml": "@pad\n" + _POETRY.replace('"@thing"', '"@thing')},
    ),
    Case(
        "poetry",
        "poetry-lock-stale",
        "poetry-lock-stale",
        "poetry install",
        {"pyproject.toml": _POETRY},
        setup="poetry lock -q; echo 'requests = \"*\"' >> pyproject.toml",
    ),
    Case(
        "poetry",
        "poetry-command-not-found-gunicornx",
        "poetry-run-missing-command",
        "poetry run gunicornx",
        {"pyproject.toml": _POETRY},
        b_command="poetry run gunicornx -w @n @file:@thing",
    ),
    Case(
        "poetry",
        "poetry-package-folder-missing",
        "poetry-package-not-found",
        "poetry build",
        {"pyproject.toml": _POETRY},
    ),
    Case(
        "poetry",
        "poetry-python-too-old",
        "poetry-python-version",
        "poetry install",
        {"pyproject.toml": _POETRY.replace(">=3.9", ">=3.99")},
    ),
    Case(
        "poetry",
        "poetry-index-unreachable",
        "poetry-index-unreachable",
        "poetry lock",
        {
            "pyproject.toml": _POETRY
            + (
                'requests = "*"\n\n[[tool.poetry.source]]\nname = "mirror"\n'
                'url = "http://127.0.0.1:41@m/simple"\npriority = "primary"\n'
            )
        },
    ),
    Case("pdm", "pdm-no-pyproject", "pdm-no-project", "pdm install", b_command="pdm run @file"),
    Case(
        "pdm",
        "pdm-command-not-found-gunicornx",
        "pdm-run-missing-command",
        "pdm run gunicornx",
        {"pyproject.toml": _PROJECT},
        setup="pdm use -f -q /opt/python/3.12.1/bin/python",
        b_command="pdm run gunicornx -w @n",
    ),
    Case("hatch", "hatch-no-project", "hatch-no-project", "hatch version"),
    Case(
        "hatch",
        "hatch-unknown-environment-lint",
        "hatch-unknown-environment",
        "hatch run lint:check",
        {"pyproject.toml": _PROJECT},
        b_command="hatch -e lint run check @thing",
    ),
    Case(
        "tox",
        "tox-unknown-environment-lint",
        "tox-unknown-environment",
        "tox -e lint",
        {"tox.ini": "[tox]\nenv_list = docs\nskipsdist = true\n[testenv:docs]\ncommands = true\n"},
        b_command="tox -q -e lint",
    ),
    Case(
        "tox",
        "tox-command-not-allowed-flake9",
        "tox-command-not-found",
        "tox -e docs",
        {"tox.ini": "[tox]\nskipsdist = true\n[testenv:docs]\nskip_install = true\ncommands = flake9 @dir\n"},
    ),
    Case("nox", "nox-no-noxfile", "nox-no-noxfile", "nox", b_command="nox -s @thing"),
    Case(
        "nox",
        "nox-unknown-session-lint",
        "nox-unknown-session",
        "nox -s lint",
        {"noxfile.py": "import nox\n\n@pad\n@nox.session\ndef docs(session): ...\n"},
    ),
    Case(
        "pre-commit",
        "pre-commit-no-config",
        "pre-commit-no-config",
        "pre-commit run",
        setup="git init -q .",
        b_command="pre-commit run --all-files",
        wraps=("make",),
    ),
    Case(
        "pre-commit",
        "pre-commit-not-a-repository",
        "pre-commit-git",
        "pre-commit run --all-files",
        {".pre-commit-config.yaml": "repos: []\n"},
    ),
    Case(
        "pre-commit",
        "pre-commit-config-yaml",
        "pre-commit-config",
        "pre-commit run --all-files",
        {".pre-commit-config.yaml": "repos:\n  - repo: local\n   hooks: [@thing]\n"},
        setup="git init -q . && git add -A",
    ),
    Case(
        "pre-commit",
        "pre-commit-files-modified-trailing-space",
        "pre-commit-files-modified",
        "pre-commit run --all-files",
        {
            ".pre-commit-config.yaml": (
                "repos:\n  - repo: local\n    hooks:\n      - id: trailing\n"
                "        name: trim trailing whitespace\n        entry: sed -i 's/ *$//'\n"
                "        language: system\n        types: [python]\n"
            ),
            "@file.py": "@pad\n@thing = @n   \n",
        },
        setup="git init -q . && git add -A",
    ),
    Case(
        "pre-commit",
        "pre-commit-missing-command-prettierx",
        "pre-commit-missing-command",
        "pre-commit run --all-files",
        {
            ".pre-commit-config.yaml": (
                "repos:\n  - repo: local\n    hooks:\n      - id: style\n        name: style\n"
                "        entry: prettierx --check\n        language: system\n"
            ),
            "@file.py": "@thing = @n\n",
        },
        setup="git init -q . && git add -A",
    ),
]
