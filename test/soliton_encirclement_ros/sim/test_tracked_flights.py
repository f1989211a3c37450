"""Tracked vehicles in a whole run: loop and engine drive them alike."""

import numpy as np
import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from support.identity import assert_identical, by_loop, scenario
from support.ready import NO_HURRY, laws
from velocity_mobility_ros.vehicles.tracked import TrackedParameters

__all__ = ['laws']

pytestmark = NO_HURRY

SLOWLY = {'target': {'target_motion_speed_xy': 0.3}, 'control': {'altitude_offset': 0.0}}


def tracked(**values: float) -> Scenario:
    """Return six tracked vehicles around a slow target."""
    return scenario(SLOWLY, {'mobility': {'vehicle': 'tracked', **values}})


@pytest.mark.parametrize('values', [{}, {'tau_xy': None, 'cg_offset': 0.05}], ids=str)
def test_loop_and_engine_drive_alike(values: dict) -> None:
    """To the bit, compiled or not; nobody leaves the ground."""
    flown = assert_identical(tracked(**values), {}, {'plain': True})
    heights = flown.chunk.agents[..., 2]
    assert np.ptp(heights, axis=0).max() == 0.0


def test_the_vehicle_file_is_a_tracked_robot() -> None:
    """It drives as fast as its source says, and no faster."""
    mobility = read_vehicle(find_vehicle('superdroid_hd2')).mobility
    flown = by_loop(scenario(SLOWLY, {'mobility': mobility}))
    assert 0.5 < flown.study.speeds.max() <= 1.001


def test_a_tracked_target_is_encircled_from_the_air() -> None:
    """Agents fly as ever; the target drives, slower than its commands ask where it has to turn."""
    flown = assert_identical(scenario({'vehicles': {'target_vehicle': 'superdroid_hd2'}}))
    heights, speeds = flown.chunk.target[..., 2], flown.study.speeds
    assert np.ptp(heights) == 0.0
    assert speeds.max() > 5.0


def test_a_step_that_does_not_fit_is_one_line() -> None:
    """The scenario names the section."""
    with pytest.raises(ScenarioError, match=r'mobility: sim_dt = 0.003 s must be update_rate'):
        tracked(sim_dt=0.003)


def test_its_own_defaults_replace_those_of_the_vehicle_before() -> None:
    """What somebody has set stays, if it can."""
    assert tracked().mobility == TrackedParameters()
    slow = Scenario().with_changes({'mobility': {'max_speed_xy': 1.5}}, 'test')
    assert slow.with_changes({'mobility': {'vehicle': 'tracked'}}, 'test').mobility == (
        TrackedParameters(max_speed_xy=1.5)
    )
    assert tracked().with_changes({'mobility': {'vehicle': 'kinematic'}}, 'test').mobility == (
        Scenario().mobility
    )
    climbing = Scenario().with_changes({'mobility': {'max_speed_z': 3.0}}, 'test')
    with pytest.raises(ScenarioError, match=r'max_speed_z = 3.0 must be at least 0 and at most 0'):
        climbing.with_changes({'mobility': {'vehicle': 'tracked'}}, 'test')
