# Needs Python >= 3.11 with venv, and make. Everything else is fetched into .venv and the store of servers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The versions that `make verify` shows.
PG ?= 14..18
# Processes of pytest-xdist; the tests of one version stay together.
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup verify quick test thorough test-all check docs pictures schemas coverage verify-releases measurements benchmarks literals plans torture wheel-test changelog clean

help:  ## what there is
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(VENV)/.ready  ## make .venv with everything needed

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	touch $@

verify: setup  ## check every behavior on servers of PG, and show the matrix
	$(BIN)/pgfeatures verify --pg '$(PG)' -n auto --dist loadgroup

quick: setup  ## run the tests that start no process and no server: after each edit
	$(BIN)/python -m pytest -n $(WORKERS) -m quick tests

test: setup  ## run the tests, each on its oldest, middle and newest version: before you commit
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m 'not thorough'

thorough: setup  ## run what make test leaves out: other versions, repetitions, the pages, the newest Python
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m thorough
	$(BIN)/python -m devtools.newest_python

test-all: test thorough  ## run everything, on every version: before a release, and in CI

check: setup  ## ruff, mypy, and the documentation's cross-references
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/sphinx-build --quiet --fail-on-warning docs build/docs

docs: setup  ## build the documentation into site/
	$(BIN)/sphinx-build --quiet --fail-on-warning docs site

pictures: setup  ## draw the terminal pictures of the documentation anew, from real runs
	$(BIN)/python -m devtools.pictures

schemas: setup  ## write the JSON Schemas of what the verbs write, from the classes
	$(BIN)/python -m devtools.schemas

coverage: setup  ## write docs/coverage.md, the list of documents' sections and their behaviors
	$(BIN)/python -m devtools.coverage > docs/coverage.md

# What `make verify-releases` runs besides the ends of each major, such as path:/opt/postgresql-19.
RELEASES ?=

verify-releases: setup  ## the atlas on the oldest and newest release of each major: writes docs/releases.md
	$(BIN)/python -m devtools.releases $(RELEASES) > docs/releases.md

# The sizes that `make measurements` measures with: quick, or document for what fits two hours, and quick for the rest.
SCALE ?= quick

measurements: setup  ## measure again what the documents measured, and go on where it was stopped: docs/measurements.md
	mkdir -p build
	$(BIN)/pgfeatures measure --resume build/rounds --json build/measurements.json
	test $(SCALE) = quick || $(BIN)/python -m devtools.document_scale build/rounds
	$(BIN)/python -m devtools.controls build/rounds/control build/measurements.json $$(find build/rounds/document -name '*.json' 2>/dev/null)
	$(BIN)/python -m devtools.measurements build/measurements.json $$(find build/rounds/document build/rounds/control -name '*.json' 2>/dev/null) > docs/measurements.md

# How many literals `make literals` compares on each version, and on which.
COUNT ?= 1000000
LITERALS_PG ?= 9.3,9.5..18

literals: setup  ## compare the models of numeric literals with servers, COUNT literals each
	$(BIN)/python -m devtools.conformance --pg '$(LITERALS_PG)' --count $(COUNT)

# Which servers' plans `make plans` compares.
PLANS_PG ?= 13..18

plans: setup  ## compare plans in both formats: PostgreSQL's regression queries, fetched by apt
	$(BIN)/python -m benchmarks.plan_corpus --pg '$(PLANS_PG)'

benchmarks: setup  ## measure against pytest-postgresql, side by side: writes the tables of docs/benchmarks.md
	$(BIN)/python -m benchmarks --runs 5 --pairs 4 --write docs/benchmarks.md
	$(BIN)/python -m benchmarks.start --write docs/benchmarks.md
	$(BIN)/python -m benchmarks.verbs --write docs/benchmarks.md
	$(BIN)/python -m benchmarks.readiness --write docs/benchmarks.md
	$(BIN)/python -m benchmarks.atlas --runs 3 --write docs/benchmarks.md
	$(BIN)/python -m benchmarks.literals
	$(BIN)/python -m benchmarks.plans
	$(BIN)/python -m benchmarks.growth

torture: setup  ## kill, starve and mislead it again and again, in namespaces where it can; a table of failures
	$(BIN)/python -m torture

wheel-test: setup  ## build dist/, and check a behavior with the wheel in an environment of its own
	rm -rf dist build/wheel
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet dist/*.whl
	build/wheel/bin/pgfeatures verify --pg 18 -k 16/parallel-hash-full-join

# The release that `make changelog` writes the fragments of changelog.d/ for.
VERSION ?= unreleased

changelog: setup  ## move the fragments of changelog.d/ to CHANGELOG.md, for VERSION
	$(BIN)/towncrier build --yes --version '$(VERSION)'

clean:  ## remove what the targets made here (the store is cleaned by: pgfeatures clean)
	rm -rf $(VENV) build site .pytest_cache .mypy_cache .ruff_cache
