# Two commands matter on a fresh machine: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
EXTRAS := dev,postgres,semantic,server
JOBS   ?= auto
MINUTES ?= 10

.PHONY: help setup demo test test-train test-train-changed lint web-assets browser screenshots docs picture plugin bench bench-full fuzz clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | awk -F@ '{printf "%-18s %s\n", $$1, $$2}'

setup: $(READY) ## .venv with Engrain and every extra but train

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Engrain needs Python 3.11 or newer; say PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@$(BIN)/python -m engrain embed --fetch --environment || echo "search goes by words alone"
	@touch $(READY)

demo: $(READY) ## play what exists, for real, in a throw-away home
	@$(BIN)/engrain demo

test: $(READY) lint web-assets browser ## every check and every test
	$(BIN)/python -m pytest -n $(JOBS)

test-train: $(READY) ## the chain on a real small model, on the CPU: rows, audit, adapter, gates
	$(BIN)/python -m tests_train.prepare
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile -W default tests_train
	$(BIN)/python -m tests_train.passed --write

test-train-changed: $(READY) ## the same, if training changed since it was last seen to hold
	@$(BIN)/python -m tests_train.passed || $(MAKE) test-train

lint: $(READY) ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

web-assets: $(READY) ## what pages use of others, from npm: htmx, uPlot, typefaces; they work without
	@$(BIN)/python -m engrain.web.packing

browser: $(READY) ## a Chromium and axe-core for the tests of pages; says so where that can't be
	@command -v chromium chromium-browser google-chrome >/dev/null || test "$$(id -u)" != 0 \
	  || ! command -v apt-get >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || true
	@command -v chromium chromium-browser google-chrome >/dev/null \
	  || echo "no Chromium here, and none can be installed by this user: pages are not looked at in a browser"
	@$(BIN)/python -m engrain.web.packing --axe $(VENV)/share/engrain

screenshots: $(READY) web-assets browser ## docs/pages: pictures of the pages, from demo data
	@$(BIN)/python -m docs.pages.take

docs: $(READY) ## the reference pages that are written from the code
	$(BIN)/python -m docs.reference.write

picture: $(READY) ## docs/engrain.svg, played for real
	$(BIN)/python -m docs.picture

plugin: $(READY) ## dist/marketplace: a plugin for Claude Code and Codex
	$(BIN)/python -m engrain.install.plugin dist/marketplace

bench: $(READY) ## the figures of the README, under 10 minutes
	$(BIN)/python -m bench

bench-full: $(READY) ## the long ones too
	$(BIN)/python -m bench --full

fuzz: $(READY) ## bend what comes from outside, MINUTES=10 for each target
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[fuzz]' || echo "without atheris the plain mutator plays"
	$(BIN)/python -m fuzz --minutes $(MINUTES)

soak: $(READY) ## five minutes of a server under load: memory and handles stay flat
	$(BIN)/python -m bench soak --full

clean: ## forget the set-up
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
