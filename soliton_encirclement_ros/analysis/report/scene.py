"""Data of the replay: motion of all bodies on one time grid, the desired ring, and events."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.alarm import grouped_alarms
from soliton_encirclement_ros.analysis.findings.finding_records import AgentFindings, Findings
from soliton_encirclement_ros.analysis.findings.parameter_updates import grouped_updates
from soliton_encirclement_ros.analysis.recording import Floats, Member, Recording
from soliton_encirclement_ros.analysis.report.page_arrays import packed
from soliton_encirclement_ros.analysis.report.page_tables import MAX_EVENTS
from soliton_encirclement_ros.analysis.resampling import (
    interpolated,
    longest_gap,
    usual_step,
    zero_order_hold,
)
from soliton_encirclement_ros.core.fences.fence_text import fence_rings
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET

STEP = 0.1
"""Time [s] between two frames of the replay; the browser interpolates."""

MAX_PLACES = 200_000
"""Upper limit of bodies times frames; longer flights and larger swarms get longer steps."""

NOBODY_THERE: dict[str, Any] = {
    'step': STEP, 'count': 0, 'bodies': [], 'radius': None, 'origin': [0.0, 0.0], 'point': None,
    'protection': None, 'turns': False, 'holder': None, 'bounds': {},
}  # fmt: skip
"""The scene of nobody."""

FAR = 5000.0
"""A flight farther from the map origin than this [m] is stored relative to a nearby point."""

AGENT, OTHER = 'agent', 'other'


class SceneMotion(NamedTuple):
    """Motion of a body: times (K,) [s], positions (K, 3) [m] and velocities (K, 3) [m/s]."""

    time: Floats
    position: Floats
    velocity: Floats


def motion(member: Member) -> SceneMotion | None:
    """Return the motion of a member: the truth, else by odometry, telemetry or states."""
    for source in (member.flown, member.telemetry, member.states):
        if source is not None and len(source.time):
            return SceneMotion(source.time, source.position, source.velocity)
    return None


def grid_of(duration: float, bodies: int) -> Floats:
    """Return the times of the frames [s]."""
    step = max(STEP, duration * bodies / MAX_PLACES)
    return step * np.arange(math.floor(duration / step) + 1)


def origin_of(recording: Recording) -> Floats:
    """Return a rounded point (2,) [m] near the flight; keeps millimetres in float32."""
    moved = [motion(member) for member in recording.members.values()]
    starts = [one.position[np.isfinite(one.position).all(axis=1), :2][:1] for one in moved if one]
    known = np.concatenate([np.zeros((0, 2)), *starts])
    if not len(known):
        return np.zeros(2)
    middle = np.median(known, axis=0)
    return np.where(np.abs(middle) > FAR, np.round(middle, -3), 0.0)


def replay(recording: Recording, findings: Findings) -> dict[str, Any]:
    """Return what the viewer shows of a recording, for JSON: the scene and what happened when."""
    events = [
        [one.event.time, findings.name_of(one.event.agent_id), one.event.failed, one.time_to_close]
        for one in findings.closings
    ]
    return {
        'begin': findings.begin,
        'end': findings.duration,
        'scene': scene(recording, findings),
        'events': events,
        'changes': _marks(findings),
    }


def shifted(replay: Mapping[str, Any], zero: float) -> dict[str, Any]:
    """Return a replay in a time that is 0 at a moment [s] of its own."""
    motion = replay['scene']
    bodies = [
        {**body, 'down': [[_less(end, zero) for end in span] for span in body.get('down', ())]}
        for body in motion['bodies']
    ]
    return {
        'begin': replay['begin'] - zero,
        'end': replay['end'] - zero,
        'scene': {**motion, 'first': -zero, 'bodies': bodies},
        'events': [[time - zero, *rest] for time, *rest in replay['events']],
        'changes': [[time - zero, *rest] for time, *rest in replay['changes']],
    }


def _less(time: float | None, zero: float) -> float | None:
    return None if time is None else time - zero


def _marks(findings: Findings) -> list[list[Any]]:
    """Return what is marked below the curves besides failures: time [s] and text."""
    changed = grouped_updates(findings.changes)[:MAX_EVENTS]
    return sorted([
        *([one.time, f'{one.text} ({one.where})'] for one in changed),
        *([one.time, f'{one.who}: {one.what}'] for one in grouped_alarms(findings.alarms)),
    ])  # fmt: skip


def scene(recording: Recording, findings: Findings) -> dict[str, Any]:
    """Return the data of the replay for JSON."""
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
        'bounds': _bounds(scenario.safety, origin) if scenario else {},
        'origin': origin.tolist(),
        'point': [point[0] - origin[0], point[1] - origin[1]] if is_fixed else None,
        'protection': scenario.target.protection_angle_deg if scenario else None,
        'turns': bool(scenario and scenario.target.target_swarm_spin_enable),
        'holder': _holder(recording.members.get(target), agents, grid),
    }


def _bounds(safety: SafetyParameters, origin: Floats) -> dict[str, Any]:
    """Return what agents keep: a distance [m], and the rings of a fence, from the origin."""
    if not safety.separation_filter:
        return {}
    rings = [(np.asarray(ring) - origin).tolist() for ring in fence_rings(safety.fence)]
    return {'separation': safety.separation_distance, 'fence': rings}


def _target_name(findings: Findings) -> str:
    """Return the name of the target."""
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
        speeds = np.linalg.norm(moved.velocity, axis=1)
        speeds = interpolated(moved.time, speeds, grid, reach=reach)
        columns = zip('xyz', places.T, strict=True)
        body |= {axis: packed(_rounded(column)) for axis, column in columns}
        body |= {'v': packed(_rounded(speeds)), 'seen': bool(np.isfinite(places).any())}
    body |= _measured(member, grid, origin)
    if agent is not None and agent.outages is not None:
        body['down'] = [[out.begin, out.end] for out in agent.outages]
    if member.telemetry is not None and agent is not None:
        body |= _neighbours(member, place, grid)
    return body


def _measured(member: Member, grid: Floats, origin: Floats) -> dict[str, str]:
    """Return where a body measured itself, beside its true motion; nothing without that."""
    track = member.track
    if member.truth is None or track is None or not len(track.time):
        return {}
    longest = max(usual_step(track.time), float(grid[1]) if len(grid) > 1 else STEP)
    places = zero_order_hold(track.time, track.position[:, :2] - origin, grid, longest)
    columns = zip(('mx', 'my'), places.T, strict=True)
    return {axis: packed(_rounded(column)) for axis, column in columns}


def _rounded(values: Floats) -> Floats:
    """Return lengths in whole millimetres, for a smaller file."""
    return np.round(values, 3)


def _neighbours(member: Member, place: Mapping[int, int], grid: Floats) -> dict[str, str]:
    """Return the neighbours of an agent as indices in the list of bodies."""
    telemetry = member.telemetry
    sides = {'pred': telemetry.pred, 'succ': telemetry.succ}
    found = {
        side: zero_order_hold(telemetry.time, ids, grid, missing=NOBODY)
        for side, ids in sides.items()
    }
    return {
        side: packed([place.get(int(k), NOBODY) for k in np.nan_to_num(ids, nan=NOBODY)], '<i2')
        for side, ids in found.items()
    }


def _holder(
    target: Member | None, agents: Mapping[str, AgentFindings], grid: Floats
) -> str | None:
    """Return the agent at the start of the open arc: the target gives its arc another weight.

    Indices in the list of bodies, NOBODY while all weights are equal; None if they always are.
    """
    if target is None or target.states is None:
        return None
    found, has_open_arc = np.full(len(grid), NOBODY), False
    for i, name in enumerate(agents):
        weight = target.states.values.get(f'{name}/lambda')
        if weight is None:
            continue
        weight = zero_order_hold(target.states.time, weight, grid, missing=1.0)
        is_open = np.isfinite(weight) & (weight != 1.0)
        found, has_open_arc = np.where(is_open, i, found), has_open_arc or bool(is_open.any())
    return packed(found, '<i2') if has_open_arc else None
