"""Scenes for the bench of the separation filter: agents that fly from starts to goals."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.member_paths import PlannedPath
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict
from soliton_encirclement_ros.core.states.swarm_topics import uav
from velocity_mobility_ros.core.trajectory.leader_track import track
from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings, SpeedLimits
from velocity_mobility_ros.core.trajectory.pursuit import TrackGuidance
from velocity_mobility_ros.core.trajectory.virtual_leader import followable

Floats = NDArray[np.float64]

SPEED = 8.0
"""Largest speed of a leader [m/s]."""

HEIGHT = 20.0
"""Height of all starts and goals [m]."""

APART = 2.5
"""Least distance of two starts [m]."""

GOALS_APART = 4.0
"""Least distance of two goals [m]."""

DEATHS = 1.0, 6.0
"""Between these times agents die [s]."""

NEVER_WAITS = 1e6
"""Length of a leash [m] that a leader does not wait at: agents are drawn to their goals."""

LONG = 1000.0
"""End of an outage for ever [s]."""


class Ways(NamedTuple):
    """Starts and goals in the plane [m], one a row, (n, 2)."""

    starts: Floats
    goals: Floats


def spread(draw: np.random.Generator, n: int, size: Sequence[float], apart: float) -> Floats:
    """Return n places in a rectangle round 0 [m] that are apart [m]."""
    half = np.array(size) / 2.0
    found: list[Floats] = []
    while len(found) < n:
        place = draw.uniform(-half, half)
        if all(math.dist(place, other) >= apart for other in found):
            found.append(place)
    return np.array(found)


def crossing(draw: np.random.Generator, n: int) -> Ways:
    """Return starts and goals anywhere in a square."""
    size = (30.0, 30.0)
    return Ways(spread(draw, n, size, APART), spread(draw, n, size, GOALS_APART))


def head_on(draw: np.random.Generator, n: int) -> Ways:
    """Return two rows that face each other; everybody flies to the other side."""
    y = GOALS_APART * (np.arange(n) // 2 - (n - 2) / 4.0)
    side = np.where(np.arange(n) % 2 == 0, -15.0, 15.0)
    rows = np.stack([side, y], axis=1)
    return Ways(rows + draw.uniform(-0.5, 0.5, (n, 2)), rows * [-1.0, 1.0])


def clustered(draw: np.random.Generator, n: int) -> Ways:
    """Return starts as dense as allowed on one side, goals in any order on the other one."""
    away, size = np.array([12.0, 0.0]), (APART * math.sqrt(n) + 2.0,) * 2
    goals = spread(draw, n, (3.0 * GOALS_APART, 5.0 * GOALS_APART), GOALS_APART)
    return Ways(spread(draw, n, size, APART) - away, goals + away)


def swap(n: int, radius: float = 15.0) -> Ways:
    """Return n starts on a circle; everybody flies to the opposite one."""
    angles = 2.0 * math.pi * np.arange(n) / n
    starts = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Ways(starts, -starts)


KINDS = {'crossing': crossing, 'head-on': head_on, 'clustered': clustered}


def scenario(n: int, seconds: float, sections: dict[str, Any], dies: int, seed: int) -> Scenario:
    """Return a scenario without random failures.

    Args:
        n: Number of agents.
        seconds: How long it is.
        sections: Further values.
        dies: How many agents die at random times; the first ones.
        seed: Of these times and of the radio.
    """
    when = np.random.default_rng(seed).uniform(*DEATHS, dies)
    out = '; '.join(f'{t:.2f}..{LONG:g}: {k + 1}' for k, t in enumerate(when))
    values = {
        'run': {'num_agents': n, 'sim_duration': seconds, 'seed': seed},
        'failure': {'failure_enable': False, 'failure_schedule': out},
        'target': {'target_motion_speed_xy': 0.0},
        'adversary': {'adversary_enable': False},
    }
    merged = {
        key: {**values.get(key, {}), **sections.get(key, {})} for key in {**values, **sections}
    }
    return scenario_from_dict(merged, 'separation', 'bench')


def on_ways(base: Scenario, ways: Ways) -> Scenario:
    """Return a scenario whose agents fly from starts to goals, and hold there."""
    flown = replace(base)
    plans = {
        uav(k + 1): plan(base, uav(k + 1), *ends) for k, ends in enumerate(zip(*ways, strict=True))
    }
    flown.__dict__['planned_paths'] = plans
    return flown


def plan(base: Scenario, agent: str, start: Floats, goal: Floats) -> PlannedPath:
    """Return the way of an agent: from rest to rest in a straight line, as its vehicle can."""
    limits, period = base.limits_of(agent), base.swarm.control_period
    lag_xy, lag_z = limits.tau_xy or 0.0, limits.tau_z or 0.0
    guidance = TrackGuidance(1.0, NEVER_WAITS, lag_xy, lag_z, period)
    way = track(straight(start, goal, limits, period))
    return PlannedPath(way, FollowSettings(SpeedLimits(), math.nan, period), guidance, limits)


def straight(start: Floats, goal: Floats, limits: CommandLimits, period: float) -> Floats:
    """Return places and times of a leader that speeds up, flies on and brakes."""
    able = followable(limits.max_speed_xy, limits.max_acc_xy, limits.tau_xy or 0.0)
    length, a = float(np.linalg.norm(goal - start)), able.acceleration
    v = min(able.speed, SPEED, math.sqrt(a * length))
    whole = length / v + v / a
    t = np.linspace(0.0, whole, max(2, math.ceil(whole / period)) + 1)
    begun, left = np.minimum(t, v / a), np.minimum(whole - t, v / a)
    s = np.where(
        t < whole / 2.0,
        a * begun**2 / 2.0 + v * np.maximum(0.0, t - v / a),
        length - a * left**2 / 2.0 - v * np.maximum(0.0, whole - t - v / a),
    )
    rows = np.zeros((len(t), 4))
    rows[:, :2] = start + np.outer(s / length, goal - start)
    rows[:, 2], rows[:, 3] = HEIGHT, t
    return rows
