# The first `make sim` or `make test` sets up a virtual environment in this folder, with ROS 2 and
# all else; no ROS installation is needed and none is touched. `make` alone lists the commands.

# jazzy (long-term support) or kilted
DISTRO := jazzy
# an interpreter from 3.10 to 3.13; empty: found by itself
PYTHON ?=
# passed on to the command
ARGS :=
# noble: the old libraries of Ubuntu 24.04, as the lowest that work; empty: the newest
LIBRARIES :=
# of all tests only those in these files and folders
TESTS :=
# nightly: `make test` runs the long tests as well
WITH :=

VENV := $(CURDIR)/.venv$(if $(filter-out jazzy,$(DISTRO)),-$(DISTRO))$(if $(LIBRARIES),-$(LIBRARIES))
BIN := $(VENV)/bin

# Processes on this machine find each other, and nobody else.
export ROS_AUTOMATIC_DISCOVERY_RANGE := LOCALHOST
export RMW_IMPLEMENTATION := rmw_fastrtps_cpp
export ROS_DISTRO := $(DISTRO)
export AMENT_PREFIX_PATH := $(VENV)
export PYTHON LIBRARIES
# A sourced ROS 2 installation must not mix with the environment's own.
unexport PYTHONHOME PYTHONPATH LD_LIBRARY_PATH _ROS_WHEELS_BOOTSTRAP_COMPLETE
# The tests start some hundred processes: Python compiles the package for the first, not for each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup environment sim ready test nightly all-tests torch lint clean
.DEFAULT_GOAL := help

help: ## list the commands
	@echo 'make COMMAND [DISTRO=jazzy|kilted] [LIBRARIES=noble] [PYTHON=python3.x] [ARGS="..."]'
	@sed -n 's/^\([a-z]*\):.*## /  \1\t/p' $(MAKEFILE_LIST)

setup: ## set up the environment, tools of the tests included; the commands below do it by themselves
	@requirements/install.sh '$(DISTRO)' '$(VENV)' tests

# All that flying needs, without the tools of the tests.
environment:
	@requirements/install.sh '$(DISTRO)' '$(VENV)'

sim: environment ## run the demo swarm; ARGS go to `swarm run demo`
	@'$(BIN)/swarm' run demo $(ARGS)

# The laws are compiled once, not by every process of the tests.
ready: setup ## set up, and compile the laws ahead
	@'$(BIN)/swarm' warm-up

test: setup ## style check and the tests; ARGS go to pytest
	@style=passed; '$(BIN)/ruff' check --quiet . || style=FAILED; \
	if [ -n '$(ARGS)' ]; then '$(BIN)/python' -m pytest $(ARGS); else $(MAKE) -s ready all-tests; fi && \
	echo "style check $$style" && [ $$style = passed ]

nightly: ready ## the long tests that `make test` leaves out, since shorter ones show the same
	@$(MAKE) -s all-tests WHICH=nightly

# First, one by one, the tests that need the machine for themselves, from the files that have some; then,
# two at a time, those that have to keep up with the clock; then the rest, three more than there are cores,
# since many tests wait for something. All parts always run; in TESTS there may be none of one (code 5). The
# largest part is the last one: its summary ends the output. A worker that crashes is a failure and the end:
# xdist waits for ever for one in its place.
WHICH := $(if $(filter nightly,$(WITH)),nightly or not nightly,not nightly)
WORKERS := --dist loadfile --max-worker-restart 0
all-tests:
	@code=0; several=; \
	for kind in alone paced; do \
		files=$$(grep -rl --include='test_*.py' "mark\.$$kind" $(or $(TESTS),test)); \
		if [ -n "$$files" ]; then \
			'$(BIN)/python' -m pytest -m "($(WHICH)) and $$kind" $$several $$files || [ $$? = 5 ] || code=1; \
		fi; \
		several='-n 2 $(WORKERS)'; \
	done; \
	'$(BIN)/python' -m pytest -m '($(WHICH)) and not alone and not paced' -n $$((3 + $$(nproc))) \
		$(WORKERS) $(TESTS) || [ $$? = 5 ] || code=1; \
	exit $$code

torch: ## the tests of batched vehicles over torch, with the python3-torch of Debian or Ubuntu
	@requirements/torch_tests.sh

lint: setup ## style check
	@'$(BIN)/ruff' check .

clean: ## remove environments, builds and caches; runs/ stays
	rm -rf .venv .venv-* build dist *.egg-info .hypothesis .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
