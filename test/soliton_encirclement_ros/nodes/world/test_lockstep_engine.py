"""A lockstep run over DDS against the compiled engine: the same tables to the last byte."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import PREDICTIVE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import WORLD
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS
from soliton_encirclement_ros.sim.compilation.compiled_motion import CompiledBody
from soliton_encirclement_ros.sim.engine import Engine
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import read_table
from support.ros.graph import Ros
from support.ros.swarm import Swarm, fly, scenario, take_down
from support.vehicles.integrator import State, integrator
from velocity_mobility_ros.vehicles.second_order import SecondOrderState

__all__ = ['integrator', 'laws']

pytestmark = [pytest.mark.ros, NO_HURRY]

TABLES = ('agent_telemetry.csv', 'target_telemetry.csv')
FIRST_VALUE = len(AGENT_COLUMNS)
LOSSY: dict[str, Any] = {
    'communication_failure_rate': 0.3, 'communication_delay': 0.1, 'communication_jitter': 0.12,
    'communication_transmission_range': 45.0, 'partitions': '1..1.6: 1 2 target | 3 4',
    'byzantine': '0.5..1: 1 frozen; 1..2: 2 offset 5 -3; 0.4..: 4 random 8; 2..2.5: 3 nan; '
    '2..: 2 mirrored; 2..: 1 repeat 2',
}  # fmt: skip


def rows_of_engine(flown: Scenario) -> tuple[list[list[float]], list[list[float]]]:
    """Return the rows of both tables as they follow from the engine's arrays alone."""
    engine, agents, target = Engine(flown), [], []

    def take(chunk: Any) -> None:
        for time, swarm, metrics, aim in zip(
            chunk.times, chunk.agents, chunk.metrics, chunk.target, strict=True
        ):
            for k, row in enumerate(swarm):
                speed = np.sqrt(row[3] * row[3] + row[4] * row[4] + row[5] * row[5])
                agents.append([k + 1.0, time, *row[FIRST_VALUE:], speed, *row[:6]])
            target.append([time, *metrics, *aim[:6]])

    engine.on_chunk = take
    assert engine.fly()
    return agents, target


def tables(folder: Path) -> list[bytes]:
    """Return both tables as they lie on disk."""
    return [(folder / name).read_bytes() for name in TABLES]


def flown_by_both(ros: Ros, flown: Scenario, folder: Path) -> Swarm:
    """Fly in lockstep and by the engine: the tables must be the same; return the nodes."""
    nodes = fly(ros, flown, folder / 'ros')
    (folder / 'engine').mkdir()
    Simulation(flown, folder / 'engine').fly()
    assert tables(folder / 'ros') == tables(folder / 'engine')
    return nodes


@pytest.mark.parametrize(
    ('law', 'radio'), [(PREDICTIVE, LOSSY), ('two_channel', {})], ids=['lossy', 'ideal']
)
def test_a_lockstep_run_gives_the_tables_of_the_engine(ros, tmp_path, radio, law):
    """All laws and layers are held to the engine without ROS; the flight over DDS is the same."""
    run = {'sim_duration': 3.0, 'num_agents': 5, 'seed': 11}
    flown = scenario(run=run, radio=radio, control={'controller': law})
    flown_by_both(ros, flown, tmp_path)
    read = tuple(read_table(tmp_path / 'ros' / name)[1] for name in TABLES)
    assert read == rows_of_engine(flown)


def test_the_monitor_counts_the_near_misses_of_the_engine(ros, tmp_path):
    """Agents that return to a narrow ring, and failed ones in its way."""
    flown = scenario(
        run={'sim_duration': 4.0, 'num_agents': 6, 'seed': 3},
        swarm={'encirclement_radius': 2.0},
        failure={'failure_enable': True, 'failure_mean_failures_per_min': 20.0},
    )
    monitor, engine = fly(ros, flown, tmp_path)['monitor_node'].observer, Engine(flown)
    assert engine.fly()
    assert monitor.closest == engine.seen.closest
    assert monitor.encounters == engine.seen.encounters
    assert monitor.filtered == engine.seen.filtered
    assert monitor.filtered.reasons[-1] > sum(monitor.filtered.reasons[:-1]) > 0


def test_a_vehicle_that_is_added_flies_the_same_in_lockstep_and_by_the_engine(
    ros, tmp_path, integrator
):
    run, body = {'sim_duration': 2.0}, {'vehicle': integrator, 'followed_share': 0.7}
    flown = scenario(run=run, mobility=body)
    world = flown_by_both(ros, flown, tmp_path)[WORLD].world
    assert {type(body.state) for body in world.bodies.values()} == {State}


def test_vehicles_of_second_order_fly_the_same(ros, tmp_path):
    body = {'vehicle': 'second_order', 'tau_xy': 0.4, 'acceleration_tau_xy': 0.2}
    flown = scenario(
        run={'sim_duration': 2.5}, mobility=body, target={'target_motion_period': 0.4}
    )
    world = flown_by_both(ros, flown, tmp_path)[WORLD].world
    assert {type(body.state) for body in world.bodies.values()} == {SecondOrderState}


def test_quadrotors_in_gusts_fly_the_same_round_a_tracked_robot(ros, tmp_path):
    gusts = {'vehicle_file': 'x500', 'wind_east': 3.0, 'gust_intensity': 1.0}
    flown = scenario(
        run={'sim_duration': 2.5},
        mobility=gusts,
        vehicles={'target_vehicle': 'superdroid_hd2'},
        target={'target_motion_period': 0.4, 'target_motion_speed_xy': 0.8},
    )
    world = flown_by_both(ros, flown, tmp_path)[WORLD].world
    assert all(isinstance(body, CompiledBody) for body in world.bodies.values())


def test_members_on_paths_fly_the_same(ros, tmp_path):
    """Target, adversary and an agent whose path ends early; everybody begins on the path."""
    for name, text in (
        ('far.csv', 'x,y,z,t\n4,0,0,0\n8,6,1,6\n'),
        ('near.csv', 'x,y,z\n9,9,0\n9,8,0\n'),
    ):
        (tmp_path / name).write_text(text)
    flown = scenario(
        run={'sim_duration': 3.0},
        adversary={'adversary_enable': True},
        paths={'target_path': f'{tmp_path}/far.csv', 'adversary_path': f'{tmp_path}/far.csv',
               'agent_paths': f'{tmp_path}/near.csv: 2'},
    )  # fmt: skip
    nodes = flown_by_both(ros, flown, tmp_path)
    assert nodes[WORLD].world.pose('target').position[0] > 4.5


SENSING: dict[str, Any] = {
    'position_noise_xy': 0.3, 'position_noise_z': 0.2, 'velocity_noise_xy': 0.1,
    'position_drift_xy': 0.5, 'odom_latency': 0.07, 'dropouts_per_min': 30.0,
    'dropout_time': 0.4, 'command_latency': 0.12,
}  # fmt: skip
UNLIKE_TICKS = {'update_rate': 1 / 150, 'odom_period': 0.07, 'odom_latency': 0.045}
SENSED: dict[str, dict[str, dict[str, Any]]] = {
    'everything, a bad radio': {'mobility': SENSING, 'radio': LOSSY},
    'times that are no whole nanoseconds': {
        'mobility': {**SENSING, **UNLIKE_TICKS}, 'swarm': {'control_period': 1 / 30}},
    'wrong clocks, tilted, no adversary': {
        'mobility': {**SENSING, 'vehicle': 'quadrotor'}, 'radio': {'clock_offset': 0.1},
        'adversary': {'adversary_enable': False}},
}  # fmt: skip


@pytest.mark.parametrize('case', SENSED)
def test_noise_and_latency_are_those_of_the_engine(ros, tmp_path, case):
    """Tables have what members measure, metrics and separations are those of the truth."""
    flown = scenario(run={'sim_duration': 3.0, 'seed': 5}, **SENSED[case])
    nodes, engine = flown_by_both(ros, flown, tmp_path), Engine(flown)
    assert engine.fly()
    monitor, world = nodes['monitor_node'].observer, nodes[WORLD].world
    assert any(world.pose_age(name) > 0.0 for name in world.members)
    assert monitor.closest == engine.seen.closest
    assert monitor.encounters == engine.seen.encounters


def test_reports_of_the_target_that_agents_pass_on_are_those_of_the_engine(ros, tmp_path):
    """Some are out of its reach; what is passed on is lost and late, too."""
    parts = {
        'run': {'num_agents': 10, 'sim_duration': 4.0, 'seed': 7},
        'swarm': {'encirclement_radius': 20.0},
        'target': {'target_motion': 'constant', 'target_motion_speed_xy': 6.0},
        'failure': {'failure_enable': False},
        'mobility': {'odom_latency': 0.07, 'command_latency': 0.1},
        'radio': {'communication_transmission_range': 17.0, 'communication_failure_rate': 0.3,
                  'communication_delay': 0.1},
    }  # fmt: skip
    found = []
    for relay in (True, False):
        control = {'controller': PREDICTIVE, 'target_relay': relay}
        folder = tmp_path / str(relay)
        nodes = flown_by_both(ros, scenario(**parts, control=control), folder)
        take_down(ros, nodes.nodes.values())
        found.append(tables(folder / 'engine'))
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ('estimator', 'radio'),
    [('kalman', {'communication_failure_rate': 0.3, 'communication_delay': 0.1}), ('deghat', {})],
    ids=['lossy', 'ideal'],
)
def test_a_target_that_broadcasts_nothing_is_seen_as_by_the_engine(
    ros, tmp_path, estimator, radio
):
    """Bearings come from the world."""
    flown = scenario(
        run={'sim_duration': 3.0, 'num_agents': 5, 'seed': 11, 'transient_time': 1.0},
        target={'target_swarm_spin_enable': False, 'protection_angle_deg': 360.0},
        target_sensing={'target_broadcasts': False, 'estimator': estimator, 'range_noise': 1.0},
        radio=radio,
    )
    monitor, engine = flown_by_both(ros, flown, tmp_path)['monitor_node'], Engine(flown)
    assert engine.fly()
    assert monitor.observer.estimate_errors == engine.seen.estimate_errors
    assert monitor.summary()['estimate_position_error_m'] > 0.0
