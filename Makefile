# make demo and make test do all the set-up that they need; the rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Tests wait for engines, servers and hangs half of their time: two workers more than there are processors.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(2 + os.cpu_count())')
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-all coverage mutants check lint format lock dist clean help

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

# pip fetches uv alone, which then takes seconds for what takes pip minutes. uv reads no pip.conf: where that names
# the only index that answers, pip does the whole.
$(STAMP): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Regreen needs Python 3.11 or newer: make PYTHON=python3.13 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { echo "this Python cannot make environments: apt install python3-venv" >&2; exit 1; }
	@echo "setting up $(VENV), once: one minute, or a few on a slow line" >&2
	@$(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/# via/p' requirements-dev.lock > $(VENV)/uv.lock
	@$(PIP) --no-deps --require-hashes -r $(VENV)/uv.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements-dev.lock \
		|| { echo "uv could not; pip tries, with its own configuration" >&2; \
			$(PIP) --require-hashes -r requirements-dev.lock; }
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

demo: $(STAMP) ## repair the three projects in examples/, offline
	@BIN=$(BIN) sh examples/demo.sh

# Bytecode is kept whatever the environment says: without it each worker rewrites all tests, and each program
# that they start compiles all of ours.
test: $(STAMP) ## the tests without the slow ones
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow"

test-all: $(STAMP) ## every test, as CI runs them
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

coverage: $(STAMP) ## which lines and branches the test suite runs
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS) --dist worksteal --cov --cov-report=
	$(BIN)/python tests/coverage_table.py

# cosmic-ray edits the module where it lies: it works on a copy of the commit, in build/.
MODULE ?= bot/patch/globs.py
TESTS ?= tests/unit/patch
COSMIC_RAY = $(CURDIR)/$(BIN)/uv tool run --quiet --from cosmic-ray==8.7.0

mutants: $(STAMP) ## would the tests notice? make mutants MODULE=bot/patch/globs.py TESTS=tests/unit/patch
	@rm -rf build/mutants && mkdir -p build/mutants
	@git archive HEAD | tar -x -C build/mutants
	@printf '[cosmic-ray]\nmodule-path = "%s"\ntimeout = 300.0\ntest-command = "%s -m pytest -q -x -n0 %s"\n[cosmic-ray.distributor]\nname = "local"\n' \
		'$(MODULE)' '$(CURDIR)/$(BIN)/python' '$(TESTS)' > build/mutants/mutants.toml
	@cd build/mutants && $(COSMIC_RAY) sh -c 'cosmic-ray init mutants.toml mutants.sqlite \
		&& cosmic-ray baseline mutants.toml && cosmic-ray exec mutants.toml mutants.sqlite \
		&& cr-report --surviving-only --show-diff mutants.sqlite'

lint: $(STAMP) ## style, types, terms and the dependencies between packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/terms.py
	$(BIN)/python tests/structure.py

check: lint test-all ## everything that CI checks

format: $(STAMP) ## rewrite the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Two files: what runs, which is what the Action's image holds, and what it takes to work on it. The second
# holds to the versions of the first.
LOCK := $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	--no-emit-index-url --custom-compile-command "make lock"

lock: $(STAMP) ## pin the dependencies anew
	$(LOCK) -o requirements.lock pyproject.toml
	$(LOCK) --extra dev --constraint requirements.lock -o requirements-dev.lock pyproject.toml

dist: $(STAMP) ## the wheel and the source distribution, in dist/
	rm -rf dist
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir dist .

clean: ## remove what make created
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
