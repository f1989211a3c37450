"""A target that broadcasts nothing, over DDS: bearings come from the world, or from a camera."""

import math
from pathlib import Path

import pytest
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from soliton_encirclement_ros.sim import Simulation
from support.ready import NO_HURRY, laws
from support.ros.swarm import Swarm, fly, scenario

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


def test_in_real_time_agents_find_the_target_that_the_world_lets_them_see(ros):
    sight = {'cooperative': False, 'range_noise': 0.5, 'bearing_noise_deg': 1.0}
    flown = scenario(
        run={'sim_duration': 600.0}, failure={'failure_enable': False},
        target={**CALM, 'target_motion_speed_xy': 0.5}, sight=sight,
    )  # fmt: skip
    swarm = Swarm(ros, flown, PlanOptions(lockstep=False))
    agents = [swarm[f'uav_{k}'] for k in flown.agent_ids]
    world = swarm['world'].world

    def is_found() -> bool:
        truth = world.true_pose('target').position
        found = [agent.actor.estimator.estimate for agent in agents]
        return all(
            math.isfinite(one.age) and math.dist(one.position, truth) < 1.5 for one in found
        )

    ros.until(is_found, 'estimates', 30.0)
    assert all(agent.actor.hears_target(agent.actor.now) for agent in agents)
    heard = ros.tester.get_subscriptions_info_by_topic('/swarm/target_state')
    assert 'agent' not in {info.node_name for info in heard}
