# `make run` and `make test` are all a newcomer needs; `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CONFIG ?= configs/first_look.yaml

.DEFAULT_GOAL := help
.PHONY: help run setup setup-dev notebooks fmt lint types test test-fast test-slow clauses bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## /\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-notebooks: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[notebooks]'
	@touch $@ $(VENV)/.installed

setup: $(VENV)/.installed ## install reefsim into .venv

setup-dev: $(VENV)/.installed-dev ## the same with everything the tests need

run: setup ## play the flagship experiment and write its report (CONFIG=... for another)
	$(BIN)/reefsim run $(CONFIG)

fmt: setup-dev ## format the code
	$(BIN)/ruff format reefsim tests
	$(BIN)/ruff check --fix reefsim tests

lint: setup-dev ## style, import rules, unfinished marks
	$(BIN)/ruff check reefsim tests
	$(BIN)/ruff format --check reefsim tests

types: setup-dev ## static types
	$(BIN)/mypy

test: lint types ## everything CI runs
	$(BIN)/python -m pytest -m "not slow" -n auto --dist loadfile

test-fast: setup-dev ## rules, core, configs, statistics: nothing compiled, no whole runs
	$(BIN)/python -m pytest -m "not slow and not jitted" \
	  --ignore=tests/cli --ignore=tests/sim --ignore=tests/reporting

test-slow: setup-dev ## full-size studies
	REEFSIM_TEST_SIZE=full $(BIN)/python -m pytest

notebooks: $(VENV)/.installed-notebooks ## execute all notebooks in place (some minutes)
	$(BIN)/python -m tests.notebooks.execute

clauses: setup-dev ## clauses of the rules that no test is marked with
	$(BIN)/python -m pytest -q --collect-only --unmarked-clauses

bench: setup ## speed of the players
	@for game in reef_encounter reef poseidons_kingdom; do for players in 2 3 4; do \
	  for run in random:2000 greedy:200 planner:50 search:5; do \
	    $(BIN)/reefsim bench --game $$game --players $$players \
	      --agent $${run%:*} --games $${run#*:}; done; done; done

clean: ## remove what can be built again
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
