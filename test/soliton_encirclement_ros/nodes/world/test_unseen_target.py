"""A target that broadcasts nothing, over DDS: bearings come from the world, or from a camera."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.sim import Simulation
from support.ready import NO_HURRY, laws
from support.ros.swarm import fly, scenario

__all__ = ['laws']

pytestmark = [pytest.mark.ros, NO_HURRY]

TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')
RUN = {'sim_duration': 3.0, 'num_agents': 5, 'seed': 11, 'transient_time': 1.0}
CALM = {'target_swarm_spin_enable': False, 'protection_angle_deg': 360.0}
LOSSY = {'communication_failure_rate': 0.3, 'communication_delay': 0.1}


@pytest.mark.parametrize('estimator', ['kalman', 'deghat'])
@pytest.mark.parametrize('radio', [{}, LOSSY], ids=['ideal', 'lossy'])
def test_a_lockstep_run_gives_the_tables_of_the_engine(ros, tmp_path, estimator, radio):
    sight = {'cooperative': False, 'estimator': estimator, 'range_noise': 1.0}
    flown = scenario(run=RUN, radio=radio, target=CALM, sight=sight)
    folders = [tmp_path / name for name in ('ros', 'engine')]
    monitor = fly(ros, flown, folders[0])['monitor_node']
    folders[1].mkdir()
    simulation = Simulation(flown, folders[1])
    simulation.fly()
    by_ros, by_engine = map(tables, folders)
    assert by_ros == by_engine
    assert monitor.observer.estimate_errors == simulation.seen.estimate_errors
    assert monitor.summary()['estimate_position_error_m'] > 0.0


def tables(folder: Path) -> list[bytes]:
    """Return both tables as they lie on disk."""
    return [(folder / name).read_bytes() for name in TABLES]
