"""The tracked vehicle as a whole: reference series, and what every drive must obey."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.sim.compilation.compiled import compiled
from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.track_dynamics import Planar, next_planar
from velocity_mobility_ros.vehicles.tracked_vehicle import (
    TRACKED, TrackedCoefficients, TrackedParameters, TrackedState, at_rest, lag_share, next_track,
    step
)
from velocity_mobility_ros.vehicles.vehicle import Command

START = (1.0, -2.0, 3.0)
CONTROLLED = TrackedParameters(update_rate=0.02, max_yaw_rate=2.0)
"""The reference updates its controller every 20 ms."""

Row = tuple[float, ...]


def driven(surge: float, yaw_rate: float) -> list[Row]:
    """Return a row for every half second of six: by the vehicle, from a command in its frame."""
    body, rows = Body(CONTROLLED, (0.0, 0.0, 0.0)), []
    body.command((surge, 0.0, 0.0), yaw_rate, in_body=True)
    for k in range(1, 301):
        body.step()
        if k % 25 == 0:
            at: TrackedState = body.state
            x, y, _ = at.position
            rows.append((k * 0.02, x, y, at.yaw, at.surge, at.sway, at.yaw_rate, *at.tracks))
    return rows


def rolled(surge: float, yaw_rate: float) -> list[Row]:
    """Return the same without control: the tracks are commanded as if there was no slip."""
    model: TrackedCoefficients = TRACKED.coefficients(CONTROLLED)
    at, left, right, rows = Planar(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, []
    half, share = 0.225 * yaw_rate, lag_share(0.15, 0.005)
    for k in range(1, 1201):
        left = next_track(model.drive, left, surge - half, share, 0.005)
        right = next_track(model.drive, right, surge + half, share, 0.005)
        at = next_planar(model.chassis, left, right, at, 0.005)
        if k % 100 == 0:
            rows.append((k * 0.005, *at, left, right))
    return rows


def test_drives_are_those_of_the_reference(reference) -> None:
    """Six series of twelve rows; the heading of the vehicle is wrapped."""
    series = reference('vehicles.json')['track']['closed_loop']
    assert len(series) == 6
    for one in series:
        drive = rolled if one['controller'].startswith('none') else driven
        found = np.array(drive(*one['cmd_vx_wz']))
        expected = np.array(one['samples'])
        found[:, 3] -= 2.0 * math.pi * np.round((found[:, 3] - expected[:, 3]) / (2.0 * math.pi))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9), one['name']


def moved(
    wish: tuple[float, float], yaw_rate: float, seconds: float, in_body: bool,
    parameters: TrackedParameters | None = None, yaw: float = 0.0,
) -> Body:  # fmt: skip
    """Return a body after a constant command."""
    body = Body(parameters or TrackedParameters(), START, yaw)
    body.command((*wish, 0.0), yaw_rate, in_body)
    for _ in range(round(seconds / body.parameters.update_rate)):
        body.step()
    return body


def test_drives_straight_without_a_turn() -> None:
    """Exactly: left and right are symmetric to the bit."""
    body = moved((2.0, 0.0), 0.0, 10.0, in_body=True)
    assert body.motion.yaw == 0.0 and body.motion.position[1:] == START[1:]
    assert body.motion.velocity == pytest.approx((2.0, 0.0, 0.0), abs=1e-3)


@pytest.mark.parametrize('angle', [0.5, -1.5, math.pi])
def test_follows_a_velocity_in_the_map_frame(angle: float) -> None:
    """Whatever the direction: in the end it drives there, ahead."""
    wish = (1.5 * math.cos(angle), 1.5 * math.sin(angle))
    body = moved(wish, 0.0, 12.0, in_body=False, yaw=0.3)
    assert body.motion.velocity == pytest.approx((*wish, 0.0), abs=1e-3)
    assert wrap_pi(body.motion.yaw - angle) == pytest.approx(0.0, abs=1e-3)


def test_noise_around_zero_turns_nothing() -> None:
    """Commands of a millimetre a second in all directions: no chatter at standstill."""
    body, noise = Body(TrackedParameters(), START), np.random.default_rng(5)
    for x, y in noise.normal(0.0, 1e-3, (1000, 2)):
        body.command((x, y, 0.0), 0.0)
        body.step()
        assert abs(body.motion.yaw_rate) < 0.05
    assert math.dist(body.motion.position, START) < 0.02


def test_without_a_command_it_stays_where_it_is_to_the_bit() -> None:
    body = moved((0.0, 0.0), 0.0, 5.0, in_body=False, yaw=0.7)
    assert body.state == at_rest(START, 0.7, 0)


@pytest.mark.parametrize('velocity', [(1.0, 0.8, -2.0), (-1.5, 0.3, 1.0)])
def test_with_a_command_of_zero_no_energy_is_created(velocity: tuple) -> None:
    """A body that is pushed comes to rest: the drive brakes, and never pushes beyond the start."""
    able = TrackedParameters()
    body = Body(able, START)
    u, v, r = velocity
    body.state = body.state._replace(surge=u, sway=v, yaw_rate=r)
    energies = []
    for _ in range(1500):
        at = body.state
        linear = able.mass * (at.surge * at.surge + at.sway * at.sway)
        energies.append(0.5 * (linear + able.yaw_inertia * at.yaw_rate * at.yaw_rate))
        body.step()
    assert max(energies) == energies[0]
    assert energies[-1] < 1e-6
    first = next(k for k, energy in enumerate(energies) if energy < 0.02 * energies[0])
    assert max(energies[first:]) < 0.1 * energies[0]


def fly(
    model: TrackedCoefficients, state: TrackedState, wishes: np.ndarray, rows: np.ndarray
) -> None:
    """Fill rows with all numbers of the states that follow from some commands."""
    for k in range(len(wishes)):
        wish = (wishes[k, 0], wishes[k, 1], 0.0)
        state = step(model, state, Command(wish, wishes[k, 2], wishes[k, 3] > 0.0), 0.01)
        rows[k, 0], rows[k, 1], rows[k, 2] = state.position
        rows[k, 3], rows[k, 4], rows[k, 5] = state.yaw, state.surge, state.sway
        rows[k, 6], (rows[k, 7], rows[k, 8]) = state.yaw_rate, state.tracks
        rows[k, 9], rows[k, 10] = state.integrals


def test_compiled_it_is_the_same_to_the_bit() -> None:
    """Commands in both frames, also beyond the limits."""
    wishes = np.repeat(np.random.default_rng(3).normal(0.0, 2.0, (40, 4)), 50, axis=0)
    model = TRACKED.coefficients(TrackedParameters(cg_offset=0.05))
    plain, fast = np.zeros((2000, 11)), np.zeros((2000, 11))
    fly(model, at_rest(START, 0.5, 0), wishes, plain)
    compiled(fly)(model, at_rest(START, 0.5, 0), wishes, fast)
    assert np.array_equal(plain, fast)
    assert np.ptp(plain, axis=0)[[0, 1, 3, 4, 5, 6, 7, 8]].min() > 0.05
