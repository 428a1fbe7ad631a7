# Needs GNU make, git and Python with venv; everything else is installed into .venv/. Another Python: make test PYTHON=python3.12
PYTHON ?= python3
DEMO_MINUTES ?= 4
ARGS ?=

BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

.PHONY: help demo test check fuzz bench strength calibrate hoarding warm clean
.DELETE_ON_ERROR:

help:  ## show this list
	@echo 'make TARGET [ARGS="..."]; ARGS are handed on to the command behind the target'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' Makefile

demo: .venv/.runtime  ## train an agent for DEMO_MINUTES (4), play it against the baselines, write runs/demo/report.md
	$(BIN)/tromf demo --minutes $(DEMO_MINUTES) $(ARGS)

test: .venv/.dev  ## run the whole test suite
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

check: .venv/.dev  ## linter, formatter, type checker
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: .venv/.dev  ## compiled rules beside the plain reference over the whole option grid; searches blind to what is hidden; then every card counted with array bounds checked
	$(BIN)/python -m tests.fuzz $(ARGS)
	$(BIN)/python -m tests.agents.search.blind
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.fuzz --games 0

bench: .venv/.runtime  ## decisions per second
	$(BIN)/tromf bench $(ARGS)

strength: .venv/.runtime  ## how strong rule players, trained agents and, by its thought, search are: the tables of README and docs/search.md (half an hour on two idle cores)
	$(BIN)/python -m benchmarks.strength --readme $(ARGS)
	$(BIN)/python -m benchmarks.search_strength --write

calibrate: .venv/.runtime  ## do intervals and tests err as often as they say? 10,000 simulated matches for each figure
	$(BIN)/python -m benchmarks.calibrate $(ARGS)

hoarding: .venv/.runtime  ## what hoarding trumps is worth: the tables of docs/hoarding.md
	$(BIN)/python -m benchmarks.hoarding $(ARGS)

warm: .venv/.runtime  ## compile everything now, so that later commands start at once
	$(BIN)/tromf warm $(ARGS)

clean:  ## remove .venv, caches and build products; runs/ stays
	rm -rf .venv build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# pip comes last when a venv is made: where it is missing, making was interrupted and is done again.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit("tromf needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; say PYTHON=...") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv

# Two stamps, since the demo does without the packages of the developers; either is made anew when a list of packages changes.
.venv/.runtime: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing tromf and what it needs into .venv (some minutes the first time)"
	@$(INSTALL) -e .
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing tromf, what it needs and what its tests need into .venv (some minutes the first time)"
	@$(INSTALL) -e '.[dev]'
	@touch .venv/.runtime $@
