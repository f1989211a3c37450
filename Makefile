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

.PHONY: help setup environment sim ready test nightly all-tests audit torch lint coverage docs clean
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

# What flies is compiled once, by all cores, not by every process of the tests.
ready: setup ## set up, and compile what flies ahead
	@'$(BIN)/swarm' warm-up

test: setup ## style check and the tests; ARGS go to pytest
	@style=passed; $(STYLE) || style=FAILED; \
	if [ -n '$(ARGS)' ]; then '$(BIN)/python' -m pytest $(ARGS); else $(MAKE) -s ready all-tests; fi && \
	echo "style check $$style" && [ $$style = passed ]

nightly: ready ## the long tests that `make test` leaves out, since shorter ones show the same
	@$(MAKE) -s all-tests WHICH=nightly

# Two workers more than cores, since many tests wait; who is done first takes over from others. A worker that
# crashes, or is ended because a test hangs, costs this test: another one takes its place.
WHICH := $(if $(filter nightly,$(WITH)),nightly or not nightly,not nightly)
all-tests:
	@'$(BIN)/python' -m pytest -m '$(WHICH)' -n $$(( $$(nproc) + 2 )) --dist worksteal --max-worker-restart 20 $(TESTS)

audit: ## ask PyPI for known weaknesses of the pinned libraries
	@requirements/audit.sh

torch: ## the tests of batched vehicles over torch, with the python3-torch of Debian or Ubuntu
	@requirements/torch_tests.sh

# Types are checked against the libraries of the usual environment; others have other types, or none.
TYPES := $(if $(LIBRARIES)$(filter-out jazzy,$(DISTRO)),true,'$(BIN)/mypy' --no-error-summary)
STYLE := { { '$(BIN)/ruff' check --quiet . && '$(BIN)/isort' --check --quiet .; } & $(TYPES); types=$$?; wait $$! && [ $$types = 0 ]; }

lint: setup ## style check: ruff, the order of imports by isort, and the types by mypy
	@$(STYLE)

# Compiled code does not tell what was run. The tests of a room call its functions as plain Python, in minutes; so that
# what the engine alone calls counts as well, the flights that are compared with those of nodes fly interpreted.
PURE := $(addprefix velocity_mobility_ros/,core vehicles autopilot) $(addprefix soliton_encirclement_ros/,core controllers \
	propagation estimators safety swarm members)
COUNTED := '$(BIN)/python' -m pytest -q -n $$(nproc) --dist worksteal --no-header --disable-warnings $(addprefix --cov=,$(PURE))
coverage: ready ## which lines of the rooms without ROS neither their own tests run nor flights of the engine
	@$(COUNTED) --cov-report= $(addprefix test/,$(PURE)) $(ARGS)
	@NUMBA_DISABLE_JIT=1 $(COUNTED) --cov-append --cov-report=term:skip-covered \
		test/soliton_encirclement_ros/sim/engine_identity $(ARGS)

docs: ## build the site of the documentation into site/; a link that leads nowhere fails
	@requirements/install.sh '$(DISTRO)' '$(VENV)' docs
	@NO_MKDOCS_2_WARNING=1 '$(BIN)/python' -m mkdocs build && echo '$(CURDIR)/site/index.html'

clean: ## remove environments, builds and caches; runs/ stays
	rm -rf .venv .venv-* build dist site *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
