"""Reports of the target that agents pass on, over DDS: a lockstep run against the engine."""

import pytest
from soliton_encirclement_ros.sim import Simulation
from support.ready import NO_HURRY, laws
from support.ros.swarm import fly, scenario

__all__ = ['laws']

pytestmark = [pytest.mark.ros, NO_HURRY]

TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')
PARTS = {
    'run': {'num_agents': 10, 'sim_duration': 4.0, 'seed': 7},
    'swarm': {'encirclement_radius': 20.0},
    'target': {'target_motion': 'constant', 'target_motion_speed_xy': 6.0},
    'failure': {'failure_enable': False},
}
RADIO = {'communication_transmission_range': 17.0}
ROUGH = {'communication_failure_rate': 0.3, 'communication_delay': 0.1}
SENSED = {'odom_latency': 0.07, 'command_latency': 0.1}


@pytest.mark.parametrize(
    'changes', [{'radio': RADIO}, {'radio': {**RADIO, **ROUGH}, 'mobility': SENSED}],
    ids=['short range', 'rough and late'],
)  # fmt: skip
def test_a_lockstep_run_gives_the_tables_of_the_engine(ros, tmp_path, changes):
    tables = {}
    for relay in (True, False):
        control = {'controller': 'predictive', 'target_relay': relay}
        flown = scenario(**PARTS, **changes, control=control)
        folders = [tmp_path / f'{name}_{relay}' for name in ('ros', 'engine')]
        fly(ros, flown, folders[0])
        folders[1].mkdir()
        Simulation(flown, folders[1]).fly()
        by_ros, by_engine = ([(one / name).read_bytes() for name in TABLES] for one in folders)
        assert by_ros == by_engine
        tables[relay] = by_engine
    assert tables[True] != tables[False]
