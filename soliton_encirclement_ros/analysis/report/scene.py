"""What the replay draws: everybody on one grid of times, and the ring that is wanted."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import AgentFindings, Findings
from soliton_encirclement_ros.analysis.recording import Floats, Member, Recording
from soliton_encirclement_ros.analysis.report.page_arrays import packed
from soliton_encirclement_ros.analysis.resampling import interpolated, longest_gap, zero_order_hold
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

STEP = 0.1
"""Time [s] between two pictures of the replay, of which the browser makes a smooth motion."""

MAX_PLACES = 200_000
"""Places (bodies times pictures) at most: a longer flight or a larger swarm gets longer steps."""

FAR = 5000.0
"""A flight farther from the origin of the map than this [m] is packed from a place nearby."""

AGENT, OTHER = 'agent', 'other'


class SceneMotion(NamedTuple):
    """Where a body was: times (K,) [s], positions (K, 3) [m] and velocities (K, 3) [m/s]."""

    time: Floats
    position: Floats
    velocity: Floats


def motion(member: Member) -> SceneMotion | None:
    """Return how a member moved: by its odometry, else its telemetry, else its words."""
    for source in (member.track, member.telemetry, member.states):
        if source is not None and len(source.time):
            return SceneMotion(source.time, source.position, source.velocity)
    return None


def grid_of(duration: float, bodies: int) -> Floats:
    """Return the times of the pictures [s], of a whole recording."""
    step = max(STEP, duration * bodies / MAX_PLACES)
    return step * np.arange(math.floor(duration / step) + 1)


def origin_of(recording: Recording) -> Floats:
    """Return a round place (2,) [m] near the flight, from which float32 tells millimetres."""
    moved = [motion(member) for member in recording.members.values()]
    starts = [one.position[np.isfinite(one.position).all(axis=1), :2][:1] for one in moved if one]
    known = np.concatenate([np.zeros((0, 2)), *starts])
    if not len(known):
        return np.zeros(2)
    middle = np.median(known, axis=0)
    return np.where(np.abs(middle) > FAR, np.round(middle, -3), 0.0)


def scene(recording: Recording, findings: Findings) -> dict[str, Any]:
    """Return all that the replay needs, ready for JSON."""
    grid = grid_of(findings.duration, max(1, len(recording.members)))
    agents = {agent.name: agent for agent in findings.agents}
    place = {agent.agent_id: i for i, agent in enumerate(findings.agents)}
    target, origin = _target_name(findings), origin_of(recording)
    names = [*agents, *(name for name in recording.members if name not in agents)]
    bodies = [
        _body(recording.members[name], agents.get(name), target, place, grid, origin)
        for name in names
        if name in recording.members
    ]
    radius = findings.settings.radius
    scenario = recording.scenario
    point = findings.settings.target
    is_fixed = isinstance(point, tuple)
    return {
        'step': float(grid[1]) if len(grid) > 1 else STEP,
        'count': len(grid),
        'bodies': bodies,
        'radius': float(radius) if math.isfinite(radius) else None,
        'origin': origin.tolist(),
        'point': [point[0] - origin[0], point[1] - origin[1]] if is_fixed else None,
        'protection': scenario.target.protection_angle_deg if scenario else None,
        'turns': bool(scenario and scenario.target.target_swarm_spin_enable),
        'holder': _holder(recording.members.get(target), agents, grid),
    }


def _target_name(findings: Findings) -> str:
    """Return the name of the member that is surrounded."""
    target = findings.settings.target
    return target if isinstance(target, str) else TARGET


def _body(
    member: Member,
    agent: AgentFindings | None,
    target: str,
    place: Mapping[int, int],
    grid: Floats,
    origin: Floats,
) -> dict[str, Any]:
    kind = AGENT if agent else {target: TARGET, ADVERSARY: ADVERSARY}.get(member.name, OTHER)
    body: dict[str, Any] = {'name': member.name, 'kind': kind, 'seen': False}
    moved = motion(member)
    if moved is not None:
        reach = longest_gap(moved.time)
        places = interpolated(moved.time, moved.position - (*origin, 0.0), grid, reach=reach)
        speeds = np.hypot(moved.velocity[:, 0], moved.velocity[:, 1])
        speeds = interpolated(moved.time, speeds, grid, reach=reach)
        columns = zip('xyz', places.T, strict=True)
        body |= {axis: packed(_rounded(column)) for axis, column in columns}
        body |= {'v': packed(_rounded(speeds)), 'seen': bool(np.isfinite(places).any())}
    if agent is not None and agent.outages is not None:
        body['down'] = [[out.begin, out.end] for out in agent.outages]
    if member.telemetry is not None and agent is not None:
        body |= _neighbours(member, place, grid)
    return body


def _rounded(values: Floats) -> Floats:
    """Return lengths to the millimetre: more is noise, and the file compresses better."""
    return np.round(values, 3)


def _neighbours(member: Member, place: Mapping[int, int], grid: Floats) -> dict[str, str]:
    """Return whom an agent takes for its neighbours, as positions in the list of bodies."""
    told = member.telemetry
    sides = {'pred': told.pred, 'succ': told.succ}
    found = {
        side: zero_order_hold(told.time, ids, grid, missing=NOBODY) for side, ids in sides.items()
    }
    return {
        side: packed([place.get(int(k), NOBODY) for k in np.nan_to_num(ids, nan=NOBODY)], '<i2')
        for side, ids in found.items()
    }


def _holder(
    target: Member | None, agents: Mapping[str, AgentFindings], grid: Floats
) -> str | None:
    """Return who starts the open arc: the agent whose arc the target weighs unlike the others.

    Positions in the list of bodies, NOBODY where all arcs weigh the same; None if never told.
    """
    if target is None or target.states is None:
        return None
    found, told = np.full(len(grid), NOBODY), False
    for i, name in enumerate(agents):
        weight = target.states.values.get(f'{name}/lambda')
        if weight is None:
            continue
        weight = zero_order_hold(target.states.time, weight, grid, missing=1.0)
        unlike = np.isfinite(weight) & (weight != 1.0)
        found, told = np.where(unlike, i, found), told or bool(unlike.any())
    return packed(found, '<i2') if told else None
