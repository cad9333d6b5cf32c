# make run             the site on http://127.0.0.1:8000/ with everything it needs, from a fresh clone
# make serve           the site on the local network for phones, over HTTPS (PORT=8443, HTTP_PORT=8080)
# make test            every test, with everything they need
# make lint            style, format, types
# make test-postgres   the tests that use the database, on a PostgreSQL cluster of their own
# make backup          a copy of the running site in var/backups: database, media, checksums
# make restore FILE=…  the site as it was in that copy; what is replaced is kept aside; FORCE=1 while it seems to run
# make messages        take new words from the source into the Russian catalog
# make bench           measurements, beside what they are measured against
# make soak            fifty whole games on a network that fails at random, a minute of two devices, real waits
# make contact-sheet   pictures of the board in every state, at every size, as sheets under docs/
# make mutants         small changes of the rules, each of which a test should notice; docs/mutants.md
# make lock            pin newer dependencies
# make clean           everything that can be made again; the data in var/ stays

SHELL = /bin/bash
PYTHON3 ?= python3
PORT ?= 8000
VAR_DIR ?= $(CURDIR)/var
export PORT VAR_DIR
export PIP_DISABLE_PIP_VERSION_CHECK = 1

BIN = .venv/bin
PY = $(BIN)/python
PO = mafia_site/locale/ru/LC_MESSAGES/django.po
RUN_READY = .venv/ready-to-run
TEST_READY = .venv/ready-to-test
STATIC_READY = $(VAR_DIR)/static/ready

.DEFAULT_GOAL := help
.PHONY: help run serve ready data test test-ready lint format test-postgres backup restore messages bench soak contact-sheet mutants lock clean

help:
	@sed -n 's/^# make/make/p' Makefile

run: ready data
	@echo
	@echo "http://127.0.0.1:$(PORT)/   (Ctrl+C — остановить)"
	@echo
	@exec $(BIN)/gunicorn -c mafia_site/gunicorn.conf.py </dev/null

# Its addresses, as text and as QR codes, are told by what it starts.
serve: PORT = 8443
serve: ready data
	@exec $(PY) -m mafia_site.hall </dev/null

ready: $(RUN_READY) $(PO:.po=.mo) $(STATIC_READY)
	@.ci/system-packages run

# The demo tournament is made once, into a database without tournaments; it tells its logins at every start.
data: ready
	@$(PY) manage.py migrate --noinput --verbosity 0
	@[ ! -f protocols/management/commands/demo.py ] || $(PY) manage.py demo --if-empty

test: test-ready
	@$(BIN)/pytest

test-ready: $(TEST_READY) $(PO:.po=.mo)
	@.ci/system-packages run test
	@[ -n "$$CHROMIUM" ] || command -v chromium google-chrome >/dev/null || \
	  $(BIN)/playwright install --with-deps --only-shell chromium

lint: $(TEST_READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(TEST_READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

test-postgres: test-ready
	@.ci/system-packages postgres
	@.ci/with-postgres $(BIN)/pytest -m database

backup: $(RUN_READY) $(PO:.po=.mo)
	@$(PY) -m mafia_site.backup make

restore: $(RUN_READY) $(PO:.po=.mo)
	@[ -n "$(FILE)" ] || { echo "make restore FILE=var/backups/…" >&2; exit 1; }
	@$(PY) -m mafia_site.backup restore "$(FILE)" $(if $(filter 1,$(FORCE)),--force)

messages: $(RUN_READY)
	@$(PY) -m mafia_site.words update

soak: test-ready
	@OFFLINE_SEEDS=50 SOAK=1 $(BIN)/pytest tests/browser/test_offline_game.py tests/browser/test_offline_faults.py

bench: test-ready
	@.ci/system-packages postgres
	@.ci/with-postgres --durable $(PY) -m tests.bench

contact-sheet: test-ready
	@$(PY) -m tests.contact_sheet

mutants: test-ready
	@$(PY) -m tests.mutants

lock:
	$(PYTHON3) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet uv
	cd requirements && for name in base test; do ../.venv-lock/bin/uv pip compile --quiet --upgrade --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
	  -o $$name.txt $$name.in; done
	rm -rf .venv-lock

clean:
	rm -rf .venv .venv-lock .mypy_cache .ruff_cache .pytest_cache .hypothesis "$(VAR_DIR)/static"
	rm -f $(PO:.po=.mo)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@$(PYTHON3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; PYTHON3=/path/to/python3 names another one." >&2; exit 1; }
	@$(PYTHON3) -m venv .venv || \
	  { rm -rf .venv; echo "Python's venv is needed: apt-get install python3-venv" >&2; exit 1; }

$(RUN_READY): requirements/base.txt | $(PY)
	@.ci/system-packages run
	@echo "Installing what the site needs…"
	@$(PY) -m pip install --quiet --require-hashes --requirement $<
	@touch $@

$(TEST_READY): requirements/test.txt | $(RUN_READY)
	@.ci/system-packages run test
	@echo "Installing what the tests need…"
	@$(PY) -m pip install --quiet --require-hashes --requirement $<
	@touch $@

%.mo: %.po mafia_site/words.py | $(RUN_READY)
	@$(PY) -m mafia_site.words compile

$(STATIC_READY): $(shell find static -type f) requirements/base.txt | $(RUN_READY)
	@$(PY) manage.py collectstatic --noinput --verbosity 0
	@touch $@
