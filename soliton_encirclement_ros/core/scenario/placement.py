"""Start positions: fixed for the target and the adversary, drawn one by one for the agents.

The distance between members of a scenario has an upper bound (``largest_distance``).
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.fences import outside_of
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.scenario.random_streams import (
    REFERENCE, RunStreams, run_streams
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from velocity_mobility_ros.core.coordinate_frames import TURN
from velocity_mobility_ros.core.velocity_model import Vector

START_RESERVE = 1.5
"""Distance of two starts, as a share of the least distance of two vehicles."""

TURNS_PER_DISTANCE = 10.0
"""Steps of the search for a free start, per distance along the circle."""

TARGET_START: Vector = (0.0, 0.0, 0.0)
ADVERSARY_START: Vector = (40.0, 40.0, 0.0)


def start_positions(scenario: Scenario, streams: RunStreams | None = None) -> dict[str, Vector]:
    """Return where every member starts [m], in their order: those with a path at its beginning.

    Args:
        scenario: The scenario.
        streams: The generators of the run; None for fresh ones.

    Raises:
        ScenarioError: An agent starts outside the fence.
    """
    agents = initial_positions(scenario, streams)
    fixed = {TARGET: TARGET_START, ADVERSARY: ADVERSARY_START}
    usual = {**{uav(k): place for k, place in agents.items()}, **fixed}
    begins = {name: path.start for name, path in scenario.planned_paths.items()}
    starts = {name: begins.get(name, usual[name]) for name in scenario.members}
    if scenario.is_filtered:
        _check_fence(scenario, starts)
    return starts


def check_starts(scenario: Scenario) -> None:
    """Refuse a flight that begins outside its fence, before anything is made for it.

    Raises:
        ScenarioError: An agent starts outside the fence.
    """
    if scenario.is_filtered and scenario.safety.fence.strip():
        start_positions(scenario)


def _check_fence(scenario: Scenario, starts: Mapping[str, Vector]) -> None:
    cure = (
        'let it begin inside (swarm.encirclement_radius, run.init_radius_range, or the begin of '
        'its path)'
    )
    for name in map(uav, scenario.agent_ids):
        x, y, _ = starts[name]
        fence = scenario.safety.fence
        fault = outside_of(fence, 'safety.fence', f'{name} starts', x, y, cure)
        if fault:
            raise ScenarioError(fault)


def initial_positions(scenario: Scenario, streams: RunStreams | None = None) -> dict[int, Vector]:
    """Return where every agent without a path starts [m]: scattered around the target.

    Args:
        scenario: The scenario.
        streams: The generators of the run; None for fresh ones.
    """
    run, radius = scenario.run, scenario.swarm.encirclement_radius
    streams = streams or run_streams(run.rng, run.seed)
    positions: dict[int, Vector] = {}
    for i, agent_id in enumerate(scenario.agent_ids):
        angle, share = scattered(run, i, streams.placement)
        place = at_polar(radius * share, angle)
        if scenario.is_filtered:
            distance = START_RESERVE * scenario.safety.separation_distance
            place = moved_apart(radius * share, angle, distance, list(positions.values()))
        positions[agent_id] = place
    return positions


def at_polar(r: float, angle: float) -> Vector:
    """Return the position [m] at a distance [m] and an angle [rad] from the target."""
    return r * math.cos(angle), r * math.sin(angle), 0.0


def moved_apart(r: float, angle: float, distance: float, others: Sequence[Vector]) -> Vector:
    """Return the position nearest to the drawn one on its circle that is free.

    Args:
        r: Radius of the circle [m].
        angle: Drawn angle [rad].
        distance: Least distance from all others [m].
        others: Their positions [m]. If the circle is full, the drawn one is returned.
    """
    step = distance / (TURNS_PER_DISTANCE * r) if r > 0.0 else TURN
    for k in range(math.ceil(TURN / 2.0 / step) + 1):
        for turn in (k * step, -k * step):
            place = at_polar(r, angle + turn)
            if all(math.dist(place, other) >= distance for other in others):
                return place
    return at_polar(r, angle)


def scattered(run: RunParameters, i: int, stream: np.random.Generator) -> tuple[float, float]:
    """Return the angle [rad] and the share of the radius of the i-th agent, from 0.

    Two numbers are always drawn, so that no parameter changes the start of another agent. The
    original draws only the numbers it needs.
    """
    is_original, is_even = run.rng == REFERENCE, run.init_angles_equidistant
    angle, share, scatter = i * (TURN / run.num_agents), 1.0, run.init_radius_range
    if not (is_even and is_original):
        drawn = stream.uniform(0.0, TURN)
        angle = angle if is_even else drawn
    if scatter > 0.0 or not is_original:
        share = stream.uniform(1.0 - scatter, 1.0 + scatter)
    return angle, share


RADIUS_MARGIN = 2.0
"""Agents are assumed to stay within this many ring radii of the target."""


def largest_distance(scenario: Scenario) -> float:
    """Return an upper bound on the distance between two members [m], infinite if there is none.

    The target may leave its box by one motion period; a constant motion has no box.
    """
    adversary, paths = scenario.adversary, scenario.planned_paths
    reach = _target_reach(scenario) + RADIUS_MARGIN * scenario.swarm.encirclement_radius
    if adversary.adversary_enable:
        reach = max(reach, math.sqrt(2.0) * adversary.adversary_roam_bound_xy)
    return 2.0 * max([reach, *(path.reach + path.guidance.leash for path in paths.values())])


def _target_reach(scenario: Scenario) -> float:
    """Return an upper bound on the target's distance from the origin [m]."""
    path, target = scenario.planned_paths.get(TARGET), scenario.target
    if path is not None:
        return path.reach + path.guidance.leash
    if target.target_motion != 'random':
        return math.inf
    overshoot = target.target_motion_speed_xy * target.target_motion_period
    return math.sqrt(2.0) * (target.target_motion_boundary_xy + overshoot)
