"""Members on paths in a whole run: loop and engine fly them alike, and they are there in time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from support.identity import INTERPRETED, assert_identical, by_engine, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

BEND = 'x,y,z,t\n0,0,0,0\n6,0,0,5\n6,5,2,11\n'
LOOP = 'vertices: [[30, 0, 0], [0, 30, 0], [-30, 0, 5]]\nclosed: true\n'
SHORT = 'x,y,z\n-25,0,0\n-20,0,1\n'
RADIO = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}
UNFILTERED = {'safety': {'separation_filter': False}}
TIMES = (5.0, 11.0)
CORNERS = ((6.0, 0.0, 0.0), (6.0, 5.0, 2.0))


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, dict[str, str]]:
    """Return section ``paths`` with a path for target, adversary and three agents."""
    for name, text in (('bend.csv', BEND), ('loop.yaml', LOOP), ('short.csv', SHORT)):
        (tmp_path / name).write_text(text, encoding='utf-8')
    return {'paths': {
        'target_path': f'{tmp_path}/bend.csv', 'adversary_path': f'{tmp_path}/loop.yaml',
        'agent_paths': f'{tmp_path}/short.csv: 2 5; {tmp_path}/loop.yaml: 3',
    }}  # fmt: skip


@pytest.mark.parametrize('law', ['predictive', 'soliton_v1'])
def test_loop_and_engine_fly_alike(law: str, paths: dict[str, Any]) -> None:
    """Also with agents that fail on their way, and as the kernel stands."""
    often = {'failure': {'failure_mean_failures_per_min': 20.0, 'failure_off_time': 1.0}}
    flown = scenario(RADIO, paths, often, {'control': {'controller': law}})
    assert_identical(flown, {}, INTERPRETED)


def test_quadrotors_fly_paths_alike(paths: dict[str, Any]) -> None:
    body = {'mobility': {'vehicle_file': 'x500'}, 'run': {'sim_duration': 3.0}}
    assert_identical(scenario(paths, body))


@pytest.mark.parametrize(
    ('body', 'tolerance'),
    [({'tau_xy': 1.0, 'tau_z': 1.0}, 0.1), ({'vehicle_file': 'x500'}, 0.5)], ids=['lag', 'x500'],
)  # fmt: skip
def test_a_target_is_at_every_timed_point_in_time(
    body: dict[str, Any], tolerance: float, paths: dict[str, Any]
) -> None:
    """At the very tick; in half a step more it would be 0.03 m farther at the first corner."""
    flown = scenario(paths, {'mobility': body, 'run': {'sim_duration': 12.0}})
    chunk = by_engine(flown).chunk
    for time, corner in zip(TIMES, CORNERS, strict=True):
        sample = round(time / flown.swarm.control_period) - 1
        away = np.linalg.norm(chunk.target[sample, :3] - corner)
        assert away < tolerance, f'{away:.3f} m from {corner} at {time} s'


def test_everybody_begins_where_the_path_begins(paths: dict[str, Any]) -> None:
    flown = scenario(paths, {'run': {'sim_duration': 0.1}})
    chunk = by_engine(flown).chunk
    assert chunk.agents[0, 1, :3].tolist() == [-25.0, 0.0, 0.0]
    assert chunk.adversary[0, :3].tolist() == [30.0, 0.0, 0.0]


def test_at_the_end_of_its_path_the_law_takes_an_agent_to_the_ring(paths: dict[str, Any]) -> None:
    """Agent 3 flies round and round, so the others close the ring; 2 and 5 have joined it."""
    calm = {'failure': {'failure_enable': False}, 'run': {'sim_duration': 60.0}}
    still = {'paths': {**paths['paths'], 'target_path': ''}}
    slow = {'target': {'target_motion_speed_xy': 0.0}}
    chunk = by_engine(scenario(still, calm, slow, UNFILTERED)).chunk
    radii = np.linalg.norm(chunk.agents[-1, :, :2] - chunk.target[-1, :2], axis=1)
    joined = [0, 1, 3, 4, 5]
    assert radii[joined] == pytest.approx(20.0, abs=0.5)
    ways = np.linalg.norm(np.diff(chunk.agents[-200:, 2, :3], axis=0), axis=1).sum()
    assert ways > 20.0, 'agent 3 flies on'


def test_a_recorded_run_is_flown_again(tmp_path: Path, paths: dict[str, Any]) -> None:
    """The target repeats its flight, another agent that of the target, where the target is."""
    calm = {'failure': {'failure_enable': False}, **UNFILTERED}
    first = Scenario('first').with_changes(
        {**calm, 'run': {'num_agents': 3, 'sim_duration': 8.0}}, 'test'
    )
    folder = tmp_path / 'first'
    folder.mkdir()
    Simulation(first, folder, RecordedData(formats=('bag',))).fly()
    again = {'paths': {'target_path': str(folder), 'agent_paths': f'{folder}#target: 2'}}
    flown = first.with_changes(again, 'test')
    recorded, repeated = by_engine(first).chunk, by_engine(flown).chunk
    away = np.linalg.norm(recorded.target[:, :3] - repeated.target[:, :3], axis=1)
    assert away.max() < 0.3
    other = np.linalg.norm(recorded.target[:, :3] - repeated.agents[:, 1, :3], axis=1)
    assert other.max() < 0.3
    assert_identical(flown.with_changes({'run': {'sim_duration': 3.0}}, 'test'))
