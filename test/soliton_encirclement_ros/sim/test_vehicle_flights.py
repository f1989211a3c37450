"""Vehicles in a whole run: loop and engine fly them alike, also those that somebody adds."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, body_spec, swarm_plan
from soliton_encirclement_ros.core.scenario.vehicle_file import (
    find_vehicle, read_vehicle, vehicle_from_dict
)
from support.identity import (
    INTERPRETED, Changes, assert_identical, by_engine, by_events, by_loop, differences, scenario
)
from support.plain_loop import plain_loop
from support.ready import NO_HURRY, laws
from support.vehicles.integrator import integrator
from velocity_mobility_ros.vehicles.tracked_vehicle import TrackedParameters

__all__ = ['by_events', 'integrator', 'laws']

pytestmark = NO_HURRY

OFTEN = {'failure': {'failure_mean_failures_per_min': 20.0}}
GUSTS = {'wind_east': 3.0, 'gust_intensity': 1.5}
SHORT = {'run': {'sim_duration': 2.0}}
RADIO = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}
SLOWLY = {'target': {'target_motion_speed_xy': 0.3}, 'control': {'altitude_offset': 0.0}}
OWN = {'vehicle': 'integrator', 'followed_share': 0.9}


def own(*changes: Changes) -> Scenario:
    """Return six vehicles of a type that a test adds."""
    return scenario(OFTEN, *changes, {'mobility': OWN})


def quadrotors(*changes: Changes, **values: float) -> Scenario:
    """Return six quadrotors around a wandering one."""
    return scenario({'mobility': {'vehicle_file': 'x500', **values}}, *changes)


def tracked(**values: float) -> Scenario:
    """Return six tracked vehicles around a slow target."""
    return scenario(SLOWLY, {'mobility': {'vehicle': 'tracked', **values}})


@pytest.mark.parametrize('law', ['soliton', 'two_channel'])
def test_loop_and_engine_fly_quadrotors_alike_in_gusts(law: str) -> None:
    """Bodies move before their agents first decide, and never rest."""
    assert_identical(quadrotors(SHORT, RADIO, {'control': {'controller': law}}, **GUSTS))


@pytest.mark.parametrize(
    'values', [GUSTS, {'ground': 0.0, 'sim_dt': 0.001}], ids=['air', 'ground']
)
def test_the_kernel_as_it_stands_flies_quadrotors_as_compiled(values: dict[str, float]) -> None:
    """Machine code gives the bits of plain Python."""
    assert_identical(quadrotors({'run': {'sim_duration': 0.5}}, **values), {}, INTERPRETED)


def test_every_body_has_gusts_of_its_own_and_the_seed_counts() -> None:
    """No two bodies drift alike."""
    still = {'target': {'target_motion_speed_xy': 0.0}}
    first = by_engine(quadrotors(SHORT, still, **GUSTS)).chunk
    second = by_engine(quadrotors(SHORT, still, {'run': {'seed': 8}}, **GUSTS)).chunk
    speeds = first.agents[0, :, 3:6]
    assert len(np.unique(speeds, axis=0)) == len(speeds)
    assert not np.array_equal(first.target[-1], second.target[-1])


def test_vehicles_of_several_types_fly_together() -> None:
    """Each as its own type, by loop and by engine."""
    members = 'iris: 1; superdroid_hd2: 3; x500: 5'
    mixed = {'vehicles': {'agent_vehicles': members, 'target_vehicle': 'superdroid_hd2'}}
    assert_identical(scenario(SHORT, mixed, SLOWLY))


def test_an_agent_keeps_the_limits_of_its_own_vehicle(tmp_path: Path) -> None:
    """A slow agent among fast ones never asks for more than it can do."""
    slow = tmp_path / 'slow.yaml'
    slow.write_text('name: slow\nmobility: {max_speed_xy: 2.0, tau_xy: 0.3}\n', encoding='utf-8')
    mixed = {'vehicles': {'agent_vehicles': f'{slow}: 2'}, 'run': {'sim_duration': 10.0}}
    flown = scenario(mixed, {'failure': {'failure_enable': False}})
    loop = plain_loop(flown)
    fastest = dict.fromkeys(loop.crew, 0.0)

    def note() -> None:
        for name, body in loop.world.bodies.items():
            x, y, _ = body.desired.velocity
            fastest[name] = max(fastest[name], math.hypot(x, y))

    loop.fly(each_tick=note)
    assert 1.9 < fastest['uav_2'] <= 2.0 + 1e-9 < fastest['uav_1']
    assert_identical(flown)


@pytest.mark.parametrize('values', [{}, {'tau_xy': None, 'cg_offset': 0.05}], ids=str)
def test_loop_and_engine_drive_tracked_vehicles_alike(values: dict[str, Any]) -> None:
    """To the bit, compiled or not; nobody leaves the ground."""
    flown = assert_identical(tracked(**values), {}, INTERPRETED)
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


def test_defaults_of_another_vehicle_replace_those_of_the_one_before() -> None:
    """What somebody has set stays, if it can."""
    assert tracked().mobility == TrackedParameters()
    slow = Scenario().with_changes({'mobility': {'max_speed_xy': 1.5}}, 'test')
    assert slow.with_changes({'mobility': {'vehicle': 'tracked'}}, 'test').mobility == (
        TrackedParameters(max_speed_xy=1.5)
    )
    climbing = Scenario().with_changes({'mobility': {'max_speed_z': 3.0}}, 'test')
    with pytest.raises(ScenarioError, match=r'max_speed_z = 3.0 must be at least 0 and at most 0'):
        climbing.with_changes({'mobility': {'vehicle': 'tracked'}}, 'test')


def test_loop_and_engine_fly_an_added_vehicle_alike(integrator: str) -> None:
    assert_identical(own(RADIO), {}, INTERPRETED)


def test_they_do_so_event_by_event(integrator: str, by_events: None) -> None:
    assert_identical(own({'run': {'rng': 'reference'}}), {}, INTERPRETED)


def test_parameters_of_an_added_vehicle_count(integrator: str) -> None:
    slower = own({}).with_changes({'mobility': {'followed_share': 0.5}}, 'test')
    assert differences(by_engine(own()), by_engine(slower))
    assert differences(by_engine(own()), by_engine(scenario(OFTEN)))


def test_parameters_of_an_added_vehicle_go_with_it(integrator: str) -> None:
    """To nodes, to files, and away again."""
    flown = own()
    for spec in (body_spec(flown, 'uav_1'), swarm_plan(flown, PlanOptions())[0]):
        assert {name: spec.parameters[name] for name in OWN} == OWN
    assert scenario_from_dict(flown.as_dict(), 'again', 'test').mobility == flown.mobility
    back = flown.with_changes({'mobility': {'vehicle': 'kinematic'}}, 'test')
    assert back.mobility == Scenario().mobility
    found = vehicle_from_dict({'mobility': OWN}, 'mine', 'mine.yaml')
    assert Scenario().with_changes({'mobility': found.mobility}, 'test').mobility == flown.mobility


@pytest.mark.parametrize(('values', 'said'), [
    ({'vehicle': 'rocket'}, "x: mobility: vehicle = 'rocket' must be one of kinematic"),
    ({'followed_share': 0.5}, "x: mobility: unknown key 'followed_share'"),
])  # fmt: skip
def test_without_it_nobody_knows_its_values(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        scenario_from_dict({'mobility': values}, 'x', 'x')
