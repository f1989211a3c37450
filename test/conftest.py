"""What all tests share: repeatable hypothesis, reference tables, an agent, a closed loop."""

import functools
import gc
import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import AgentState, Metrics
from soliton_encirclement_ros.core.parameters.control_parameters import (
    ControlParameters, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, FailureParameters, SwarmParameters
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.random_streams import failure_stream
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.members.own_agent import Agent, make_agent as plain_agent
from support.plain_loop import SwarmLoop
from support.reference import reference_folder, reference_folders
from support.ros_domain import domain_of_its_own
from support.stuck import pytest_runtest_protocol

__all__ = ['pytest_runtest_protocol']

REPOSITORY = Path(__file__).resolve().parent.parent

settings.register_profile(
    'repeatable', derandomize=True, deadline=None, database=None, max_examples=100
)
settings.load_profile('repeatable')
gc.set_threshold(50_000)


def pytest_collection_finish() -> None:
    """Spare garbage collections the objects of thousands of tests that stay to the end."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers of this suite; let children hear ctrl-C, and that a terminal is closed.

    Started in the background by a plain shell or by nohup this process ignores them, and so
    would they.
    """
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL),
    ):  # fmt: skip
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)
    config.addinivalue_line(
        'markers',
        'as_original: holds the original to its behaviour where that breaks its own invariant',
    )
    config.addinivalue_line(
        'markers',
        'one_in(n): `make test` runs every n-th of the parameter sets, `make nightly` the others',
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[pytest.TestReport]:
    """Where ``SWARM_MUST_RUN`` asks for it, fail a test that is skipped for lack of a program."""
    report = yield
    if report.skipped and 'SWARM_MUST_RUN' in os.environ and 'apt install' in str(report.longrepr):
        report.outcome = 'failed'
    return report


SLOW_ROOMS = 'fly', 'autopilot', 'cli', 'report', 'process', 'world'
"""Folders whose tests start processes or a browser; they come first, so that a worker that is done
takes over short tests at the end."""


def _place(item: pytest.Item) -> int:
    """Return the place of a test in the order of folders."""
    parts = item.path.relative_to(REPOSITORY).parts
    return next((k for k, room in enumerate(SLOW_ROOMS) if room in parts), len(SLOW_ROOMS))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``one_in`` leaves out, before pytest chooses by markers; slow rooms come first."""
    items.sort(key=_place)
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker('one_in')
        if mark is not None:
            name = item.nodeid.partition('[')[0]
            if seen[name] % mark.args[0]:
                item.add_marker(pytest.mark.nightly)
            seen[name] += 1


ENVIRONMENT = (
    'TERM', 'NO_COLOR', 'FORCE_COLOR', 'PY_COLORS', 'TTY_COMPATIBLE', 'TTY_INTERACTIVE',
    'GITHUB_ACTIONS',
)  # fmt: skip
"""What changes whether displays and colours are drawn."""


@pytest.fixture(scope='session', autouse=True)
def ros_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let what nodes keep in the user's home land elsewhere, and commands meet no other swarm."""
    os.environ['ROS_HOME'] = str(tmp_path_factory.mktemp('ros_home'))
    for name in ENVIRONMENT:
        os.environ.pop(name, None)
    os.environ['no_proxy'] = os.environ['NO_PROXY'] = 'localhost,127.0.0.1'
    with domain_of_its_own() as domain:
        os.environ['ROS_DOMAIN_ID'] = str(domain)
        yield


@pytest.fixture(scope='session')
def repository() -> Path:
    """Return the root of the repository."""
    return REPOSITORY


@pytest.fixture(scope='session')
def reference() -> Callable[[str], Any]:
    """Return a reader of reference tables by file name; skips where there are none."""
    folder = reference_folder()

    @functools.cache
    def read(name: str) -> Any:
        if folder is None:
            places = ', '.join(map(str, reference_folders()))
            pytest.skip(f'no reference tables (SWARM_REFERENCE_DIR); looked in {places}')
        return json.loads((folder / name).read_text(encoding='utf-8'))

    return read


@pytest.fixture
def make_agent() -> Callable[..., Agent]:
    """Return a maker of agents that never fail by chance."""

    def make(
        agent_id: int = 1,
        control: ControlParameters | None = None,
        swarm: SwarmParameters | None = None,
        limits: CommandLimits | None = None,
    ) -> Agent:
        control, swarm = control or record_of('control')(), swarm or SwarmParameters()
        setup = Setup(control, PropagationParameters(), swarm, limits or CommandLimits())
        failure = FailureParameters(failure_enable=False)
        return plain_agent(agent_id, setup, failure, failure_stream(0, agent_id))

    return make


class Row(NamedTuple):
    """One tick of a flight: time [s], the five metrics, and u by agent."""

    time: float
    metrics: Metrics
    u: tuple[float, ...]


class ClosedLoop(SwarmLoop):
    """The loop of the simulation with rows to keep."""

    def __init__(self, scenario: Scenario) -> None:
        """Place everybody; the first tick is one control period after the start."""
        super().__init__(scenario)
        self.actors = self.crew

    def tick(self, order: Sequence[str] = ()) -> Row:
        """Let everybody act once, in any order, and move the world on."""
        sample = super().tick(order)
        states = [self.sent.get(name) for name in self.world.members]
        u = tuple(state.u for state in states if isinstance(state, AgentState))
        return Row(sample.time, sample.metrics, u)

    def fly(self) -> list[Row]:
        """Run the scenario to its end."""
        return [self.tick() for _ in range(self.scenario.ticks)]


@pytest.fixture(scope='session')
def closed_loop() -> type[ClosedLoop]:
    """Return the class that wires a world and its actors."""
    return ClosedLoop


@pytest.fixture(scope='session')
def calm() -> Callable[[Mapping[str, Mapping[str, Any]]], Scenario]:
    """Return a maker of scenarios without failures, spin or target motion, then changed."""

    def make(changes: Mapping[str, Mapping[str, Any]]) -> Scenario:
        quiet = {
            'failure': {'failure_enable': False},
            'target': {'target_motion_speed_xy': 0.0},
        }
        return Scenario().with_changes(quiet, 'calm').with_changes(changes, 'changes')

    return make
