"""For tests and benches of the fit: flights of vehicles whose parameters are known."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.typesys import Stores, get_typestore

from soliton_encirclement_ros.analysis.recording import Commands, Floats, Member, Track
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.bags import Raw, write_bag
from support.recorded.recordings import recording_of
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.simulated_body import Body

QUAD = MobilityParameters(
    tau_xy=0.8, tau_z=0.5, max_acc_xy=3.0, max_acc_z=4.0, max_speed_xy=8.0, max_speed_z=4.0
)
"""A vehicle unlike the default in every respect."""

PERIOD = 0.05
"""Time between commands [s]."""

NOISE, PLACE_NOISE = 0.05, 0.02
"""Deviations of the odometry's velocity [m/s] and position [m]."""

ODOMETRY, TWIST = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/Twist'

BEGIN = 1_700_000_000_000_000_000
"""When bags begin [ns]."""

PLANTED = ('tau_xy', 'tau_z', 'max_acc_xy', 'max_acc_z', 'max_speed_xy', 'max_speed_z')


def steps(
    chance: np.random.Generator, duration: float = 60.0, xy: float = 14.0, z: float = 7.0,
    hold: float = 3.0,
) -> Floats:  # fmt: skip
    """Return commands (m, 3) that jump to another velocity [m/s] now and then."""
    each = round(hold / PERIOD)
    count = math.ceil(duration / hold)
    angle, size = chance.uniform(0.0, 2.0 * np.pi, count), chance.uniform(0.0, xy, count)
    levels = np.stack([size * np.cos(angle), size * np.sin(angle), chance.uniform(-z, z, count)])
    return np.repeat(levels.T, each, axis=0)[: round(duration / PERIOD)]


def constant(*velocity: float, duration: float = 60.0) -> Floats:
    """Return commands (m, 3) that never change."""
    return np.tile(np.array(velocity), (round(duration / PERIOD), 1))


def flight(
    told: Floats, mobility: MobilityParameters = QUAD, rate: float = 50.0, delay: float = 0.0,
    name: str = 'uav_1', start: Sequence[float] = (0.0, 0.0, 0.0),
) -> Member:  # fmt: skip
    """Fly commands (m, 3), one every ``PERIOD``; return what a perfect recorder would get.

    Args:
        told: Commanded velocities [m/s].
        mobility: Of the vehicle.
        rate: Of the odometry [Hz].
        delay: From the recorded command until the vehicle has it [s].
        name: Of the vehicle.
        start: Velocity before the first command [m/s]; only of the velocity model.
    """
    body, dt = Body(mobility, (0.0, 0.0, 0.0)), mobility.update_rate
    if any(start):
        body.state = body.state._replace(velocity=tuple(start))
    every, arrival = round(1.0 / (rate * dt)), PERIOD / dt
    rows, given = [], 0
    for k in range(round(len(told) * arrival) + 1):
        if k % every == 0:
            rows.append((k * dt, *body.motion.position, *body.motion.velocity))
        while given < len(told) and given * arrival + delay / dt <= k + 1e-6:
            body.command(tuple(told[given]), 0.0)
            given += 1
        body.step()
    table = np.array(rows)
    track = Track(table[:, 0], table[:, 1:4], table[:, 4:7], np.zeros(len(table)))
    times = PERIOD * np.arange(len(told))
    return Member(name, track, Commands(times, told, np.zeros(len(told))))


def encirclement(mobility: MobilityParameters = QUAD, agents: int = 4, seed: int = 1,
                 duration: float = 60.0) -> list[Member]:  # fmt: skip
    """Return agents of a lockstep flight round a wandering target; some fail now and then."""
    changes = {
        'run': {'num_agents': agents, 'sim_duration': duration, 'seed': seed},
        'mobility': {name: getattr(mobility, name) for name in PLANTED},
        'failure': {'failure_enable': True},
    }
    recording = recording_of(Scenario('planted').with_changes(changes, 'test'))
    return [member for member in recording.members.values() if member.name.startswith('uav_')]


def noisy(
    member: Member, chance: np.random.Generator, size: float = NOISE, memory: float = 0.0
) -> Member:
    """Return a member whose odometry is noisy.

    Args:
        member: Of a perfect recorder.
        chance: Where the noise comes from.
        size: Deviation of the velocity [m/s].
        memory: How much of its noise each sample takes over to the next, below 1.
    """
    white = chance.standard_normal((len(member.track.time), 3)) * math.sqrt(1.0 - memory**2)
    noise = white.copy()
    for k in range(1, len(noise)):
        noise[k] += memory * noise[k - 1]
    place = PLACE_NOISE * chance.standard_normal(noise.shape)
    track = member.track._replace(
        velocity=member.track.velocity + size * noise, position=member.track.position + place
    )
    return member._replace(track=track)


def leave_bag(folder: Path, members: Sequence[Member]) -> Path:
    """Write the odometry and commands of members as a bag; return its folder."""
    types = get_typestore(Stores.LATEST)
    messages = [message for member in members for message in _messages(member, types)]
    return write_bag(folder, sorted(messages, key=lambda one: one.time_ns))


def leave_idle_bag(folder: Path) -> Path:
    """Write a bag of a vehicle that hovers; return its folder."""
    chance = np.random.default_rng(22)
    member = noisy(flight(constant(0.0, 0.0, 0.0, duration=20.0), rate=25.0), chance)
    return leave_bag(folder, [member])



def _messages(member: Member, types: Any) -> Iterator[Raw]:
    """Iterate over messages as ``ros2 bag record`` would get them, odometry first."""
    kind = types.types
    vector, zero = kind['geometry_msgs/msg/Vector3'], np.zeros(36)
    quaternion = kind['geometry_msgs/msg/Quaternion'](0.0, 0.0, 0.0, 1.0)
    for time, place, velocity in zip(*member.track[:3], strict=True):
        stamp = kind['builtin_interfaces/msg/Time'](*divmod(BEGIN + round(time * 1e9), 10**9))
        pose = kind['geometry_msgs/msg/Pose'](kind['geometry_msgs/msg/Point'](*place), quaternion)
        twist = kind['geometry_msgs/msg/Twist'](vector(*velocity), vector(0.0, 0.0, 0.0))
        odometry = kind[ODOMETRY](
            kind['std_msgs/msg/Header'](stamp, 'map'), 'base_link',
            kind['geometry_msgs/msg/PoseWithCovariance'](pose, zero),
            kind['geometry_msgs/msg/TwistWithCovariance'](twist, zero),
        )  # fmt: skip
        data = bytes(types.serialize_cdr(odometry, ODOMETRY))
        yield Raw(f'/{member.name}/odom', ODOMETRY, BEGIN + round(time * 1e9), data)
    for time, velocity in zip(*member.commands[:2], strict=True):
        twist = kind[TWIST](vector(*velocity), vector(0.0, 0.0, 0.0))
        data = bytes(types.serialize_cdr(twist, TWIST))
        yield Raw(f'/{member.name}/cmd_vel', TWIST, BEGIN + round(time * 1e9), data)
