"""Rotor-level quadrotors in a whole run: loop and engine fly them alike, in gusts as well."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.event_loop import plain_loop
from support.identity import assert_identical, by_engine, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

GUSTS = {'wind_east': 3.0, 'gust_intensity': 1.5}
SHORT = {'run': {'sim_duration': 2.0}}
RADIO = {'radio': {'communication_failure_rate': 0.3, 'communication_delay': 0.06}}


def quadrotors(*changes: dict[str, Any], **values: float) -> Scenario:
    """Return six quadrotors around a wandering one."""
    return scenario({'mobility': {'vehicle_file': 'x500', **values}}, *changes)


@pytest.mark.parametrize('law', ['soliton', 'splay', 'two_channel'])
@pytest.mark.parametrize('way', [{}, RADIO], ids=['alike', 'radio'])
def test_loop_and_engine_fly_alike_in_gusts(law: str, way: dict[str, Any]) -> None:
    """Bodies move before their agents first decide, and never rest."""
    assert_identical(quadrotors(SHORT, way, {'control': {'controller': law}}, **GUSTS))


def test_the_kernel_as_it_stands_flies_them_as_compiled() -> None:
    """Machine code gives the bits of plain Python."""
    assert_identical(quadrotors({'run': {'sim_duration': 0.5}}, **GUSTS), {}, {'plain': True})


def test_every_body_has_gusts_of_its_own_and_the_seed_counts() -> None:
    """No two bodies drift alike."""
    still = {'target': {'target_motion_speed_xy': 0.0}}
    first = by_engine(quadrotors(SHORT, still, **GUSTS)).chunk
    second = by_engine(quadrotors(SHORT, still, {'run': {'seed': 8}}, **GUSTS)).chunk
    speeds = first.agents[0, :, 3:6]
    assert len(np.unique(speeds, axis=0)) == len(speeds)
    assert not np.array_equal(first.target[-1], second.target[-1])


@pytest.mark.parametrize('members', ['x500: 2 4', 'iris: 1; superdroid_hd2: 3; x500: 5'])
def test_vehicles_of_several_types_fly_together(members: str) -> None:
    """Each as its own type, by loop and by engine."""
    mixed = {'vehicles': {'agent_vehicles': members, 'target_vehicle': 'superdroid_hd2'}}
    slowly = {'target': {'target_motion_speed_xy': 0.3}, 'control': {'altitude_offset': 0.0}}
    assert_identical(scenario(SHORT, mixed, slowly))


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
