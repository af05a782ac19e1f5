# Every target sets up what it needs in .venv; nothing else has to be installed first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.PHONY: demo test machine fuzz test-faults soak check bench bench-small docs format clean

demo: $(STAMP)  ## show what an agent would see, in a temporary home
	$(BIN)/shadowgraph demo

test: $(STAMP)  ## run the tests
	$(BIN)/python -m pytest -q -n 2

machine: $(STAMP)  ## run the long histories of the state machines (some minutes)
	SHADOWGRAPH_MACHINE=long $(BIN)/python -m pytest -q -n 2 \
		tests/properties/test_graph_machine.py tests/properties/test_index_machine.py

fuzz: $(STAMP)  ## 50,000 hostile calls of all operations (some minutes)
	SHADOWGRAPH_FUZZ=50000 $(BIN)/python -m pytest -q tests/operations/test_fuzz.py

test-faults: $(STAMP)  ## kill a process at some 400 steps of every path, judge each home
	$(BIN)/python -m tests.faults --kills 20

soak: $(STAMP)  ## eight servers and four command lines on one home for two minutes
	$(BIN)/python -m bench.soak

check: $(STAMP)  ## format, lint, types, import layers, docstrings, generated docs
	$(BIN)/ruff format --check src tests bench docs
	$(BIN)/ruff check src tests bench docs
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/interrogate -q tests
	$(BIN)/python docs/generate.py --check

bench: $(STAMP)  ## measure speed and relevance (some 20 minutes)
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.relevance

bench-small: $(STAMP)  ## check the pinned relevance figures on the small sets
	$(BIN)/python -m bench.relevance --sets peps-cite,rust-rfcs-cite,gitbugs --check

docs: $(STAMP)  ## write the generated pages again
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/first_hour.py

format: $(STAMP)
	$(BIN)/ruff format src tests bench docs
	$(BIN)/ruff check --fix src tests bench docs

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(STAMP): pyproject.toml constraints.txt Makefile
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt "pip>=25.1"
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt \
		-e . --group test --group lint --group bench
	touch $(STAMP)
