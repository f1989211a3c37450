"""For tests that start processes which fly: the laws are compiled before, once, by this one.

Compiling takes a minute or two; ``NO_HURRY`` keeps that out of the time that a test has.
"""

import pytest

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation.agent_rows import load_agents, own_of
from soliton_encirclement_ros.sim.flight_constants import setup_of

NO_HURRY = pytest.mark.timeout(120, func_only=True)


@pytest.fixture(scope='session', autouse=True)
def laws() -> None:
    """Leave compiled laws in this process, and on disk for others."""
    get_ready()


def setup_of_law(controller: str) -> Setup:
    """Return the setup of an agent with a law and its usual gains."""
    changes = {'control': {'controller': controller}}
    return setup_of(Scenario().with_changes(changes, 'test'), uav(1))


@pytest.fixture(scope='session', autouse=True)
def agents_code() -> None:
    """Leave the machine code of agents in nodes, of two laws."""
    for controller in ('predictive', 'soliton'):
        load_agents(own_of(setup_of_law(controller)))
