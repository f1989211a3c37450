"""Data of the viewer: motion of all bodies on one time grid, curves, the ring, and events.

Curves are metrics of the swarm and small multiples of the agents; heights are among them where
they matter. Arrays are decimated for the screen, rounded to float32 and encoded as base64.
"""

import base64
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soliton_encirclement_ros.analysis.findings.alarms import grouped_updates
from soliton_encirclement_ros.analysis.findings.finding_records import (
    AgentFindings, Findings, grouped_alarms
)
from soliton_encirclement_ros.analysis.recording import Floats, Member, Motion, Recording, Track
from soliton_encirclement_ros.analysis.report.page_tables import MAX_EVENTS
from soliton_encirclement_ros.analysis.resampling import (
    interpolated, longest_gap, usual_step, with_gaps, zero_order_hold
)
from soliton_encirclement_ros.core.fences import fence_rings
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.ring.metrics import FILTERED_TEXT, SAMPLE_TEXTS, shown_metrics
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET


def packed(values: ArrayLike, kind: str = '<f4') -> str:
    """Return numbers as base64 of float32, or of another little-endian numpy type."""
    with np.errstate(over='ignore'):
        return base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode('ascii')


def decimated(time: Floats, value: Floats, most: int) -> tuple[Floats, Floats]:
    """Return at most about ``most`` points of a curve (K,); all peaks and gaps, NaN, are kept."""
    count = len(time)
    if count <= most:
        return time, value
    size = -(-count // (most // 2))
    padded = np.pad(value, (0, -count % size), mode='edge').reshape(-1, size)
    hole = np.isnan(padded)
    keep = np.concatenate((
        [0, count - 1],
        _positions(np.where(hole, np.inf, padded).argmin(axis=1), size),
        _positions(np.where(hole, -np.inf, padded).argmax(axis=1), size),
        _positions(hole.argmax(axis=1), size)[hole.any(axis=1)],
    ))  # fmt: skip
    keep = np.unique(np.minimum(keep, count - 1))
    return time[keep], value[keep]


def _positions(indices: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    return indices + size * np.arange(len(indices))


def curve(time: Floats, value: Floats, most: int) -> dict[str, str]:
    """Return a curve for the page: ``t`` [s] and ``y``."""
    time, value = np.asarray(time, float), np.asarray(value, float)
    value = np.where(np.isfinite(value), value, np.nan)
    time, value = decimated(*with_gaps(time, value), most)
    return {'t': packed(time), 'y': packed(value)}


STEP = 0.1
"""Time [s] between two frames of the replay; the browser interpolates."""

MAX_PLACES = 200_000
"""Upper limit of bodies times frames; longer flights and larger swarms get longer steps."""

NOBODY_THERE: dict[str, Any] = {
    'step': STEP, 'count': 0, 'bodies': [], 'radius': None, 'origin': [0.0, 0.0], 'point': None,
    'protection': None, 'turns': False, 'holder': None, 'bounds': {},
}  # fmt: skip

FAR = 5000.0
"""A flight farther from the map origin than this [m] is stored relative to a nearby point."""

AGENT, OTHER = 'agent', 'other'


def grid_of(duration: float, bodies: int) -> Floats:
    """Return the times of the frames [s]."""
    step = max(STEP, duration * bodies / MAX_PLACES)
    return step * np.arange(math.floor(duration / step) + 1)


def origin_of(recording: Recording) -> Floats:
    """Return a rounded point (2,) [m] near the flight; keeps millimetres in float32."""
    moved = [member.motion for member in recording.members.values()]
    places = [motion.position for motion in moved if motion]
    starts = [place[np.isfinite(place).all(axis=1), :2][:1] for place in places]
    known = np.concatenate([np.zeros((0, 2)), *starts])
    if not len(known):
        return np.zeros(2)
    middle = np.median(known, axis=0)
    return np.where(np.abs(middle) > FAR, np.round(middle, -3), 0.0)


def replay(findings: Findings) -> dict[str, Any]:
    """Return the viewer's data of a recording, for JSON: the scene, and events with times."""
    events = [
        [closing.event.time, findings.name_of(closing.event.agent_id), closing.event.failed,
         closing.time_to_close]
        for closing in findings.closings
    ]  # fmt: skip
    updates = grouped_updates(findings.recording.changes)[:MAX_EVENTS]
    return {
        'begin': findings.recording.begin,
        'end': findings.recording.duration,
        'scene': scene(findings),
        'events': events,
        'changes': sorted([
            *([update.time, f'{update.text} ({update.where})'] for update in updates),
            *([alarm.time, f'{alarm.who}: {alarm.what}']
              for alarm in grouped_alarms(findings.alarms)),
        ]),
    }  # fmt: skip


def shift_replay(replay: Mapping[str, Any], zero: float) -> dict[str, Any]:
    """Return a replay with its time shifted so that ``zero`` [s] becomes 0."""
    motion = replay['scene']
    bodies = [
        {**body, 'down': [
            [None if end is None else end - zero for end in span] for span in body.get('down', ())
        ]} for body in motion['bodies']
    ]  # fmt: skip
    return {
        'begin': replay['begin'] - zero,
        'end': replay['end'] - zero,
        'scene': {**motion, 'first': -zero, 'bodies': bodies},
        'events': [[time - zero, *details] for time, *details in replay['events']],
        'changes': [[time - zero, *details] for time, *details in replay['changes']],
    }


def scene(findings: Findings) -> dict[str, Any]:
    """Return the data of the replay for JSON."""
    recording = findings.recording
    grid = grid_of(recording.duration, max(1, len(recording.members)))
    agents = {agent.name: agent for agent in findings.agents}
    indices = {agent.agent_id: i for i, agent in enumerate(findings.agents)}
    point, origin = findings.settings.target, origin_of(recording)
    target = point if isinstance(point, str) else TARGET
    names = [*agents, *(name for name in recording.members if name not in agents)]
    bodies = [
        _body(recording.members[name], agents.get(name), target, indices, grid, origin)
        for name in names if name in recording.members
    ]  # fmt: skip
    radius, scenario = findings.settings.radius, recording.scenario
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
    """Return the bounds of agents: a distance [m], and the rings of a fence, from the origin."""
    if not safety.separation_filter:
        return {}
    rings = [(np.asarray(ring) - origin).tolist() for ring in fence_rings(safety.fence)]
    return {'separation': safety.separation_distance, 'fence': rings}


def _body(
    member: Member, agent: AgentFindings | None, target: str, indices: Mapping[int, int],
    grid: Floats, origin: Floats,
) -> dict[str, Any]:  # fmt: skip
    kind = AGENT if agent else {target: TARGET, ADVERSARY: ADVERSARY}.get(member.name, OTHER)
    body: dict[str, Any] = {'name': member.name, 'kind': kind, 'seen': False}
    motion = member.motion
    if motion is not None:
        reach = longest_gap(motion.time)
        places = interpolated(motion.time, motion.position - (*origin, 0.0), grid, reach=reach)
        speeds = np.linalg.norm(motion.velocity, axis=1)
        speeds = interpolated(motion.time, speeds, grid, reach=reach)
        columns = zip('xyz', places.T, strict=True)
        body |= {axis: packed(_round_mm(column)) for axis, column in columns}
        body |= {'v': packed(_round_mm(speeds)), 'seen': bool(np.isfinite(places).any())}
    body |= _encode_measured(member, grid, origin)
    if agent is not None and agent.outages is not None:
        body['down'] = [[out.begin, out.end] for out in agent.outages]
    if member.telemetry is not None and agent is not None:
        body |= _neighbours(member, indices, grid)
    return body


def _encode_measured(member: Member, grid: Floats, origin: Floats) -> dict[str, str]:
    """Return the measured positions of a body, if its true motion is known; else nothing."""
    track = member.track
    if member.truth is None or track is None or not len(track.time):
        return {}
    longest = max(usual_step(track.time), float(grid[1]) if len(grid) > 1 else STEP)
    places = zero_order_hold(track.time, track.position[:, :2] - origin, grid, longest)
    columns = zip(('mx', 'my'), places.T, strict=True)
    return {axis: packed(_round_mm(column)) for axis, column in columns}


def _round_mm(values: Floats) -> Floats:
    """Return lengths in whole millimetres, for a smaller file."""
    return np.round(values, 3)


def _neighbours(member: Member, indices: Mapping[int, int], grid: Floats) -> dict[str, str]:
    """Return the neighbours of an agent as indices in the list of bodies."""
    telemetry = member.telemetry
    sides = {'pred': telemetry.pred, 'succ': telemetry.succ}
    ids_of = {side: zero_order_hold(telemetry.time, ids, grid, missing=NOBODY)
              for side, ids in sides.items()}  # fmt: skip
    return {
        side: packed([indices.get(int(k), NOBODY) for k in np.nan_to_num(ids, nan=NOBODY)], '<i2')
        for side, ids in ids_of.items()
    }


def _holder(
    target: Member | None, agents: Mapping[str, AgentFindings], grid: Floats
) -> str | None:
    """Return the agent at the start of the open arc: the target gives its arc another weight.

    Indices in the list of bodies, NOBODY while all weights are equal; None if they always are.
    """
    if target is None or target.states is None:
        return None
    holders, has_open_arc = np.full(len(grid), NOBODY), False
    for i, name in enumerate(agents):
        weight = target.states.values.get(f'{name}/lambda')
        if weight is None:
            continue
        weight = zero_order_hold(target.states.time, weight, grid, missing=1.0)
        is_open = np.isfinite(weight) & (weight != 1.0)
        holders, has_open_arc = np.where(is_open, i, holders), has_open_arc or bool(is_open.any())
    return packed(holders, '<i2') if has_open_arc else None


LEAST = 0.5
"""Heights that differ by less [m], in time and between bodies, are not drawn: all fly in a plane,
and an estimate of height wanders by some tenths of a metre."""


def moving_bodies(findings: Findings) -> dict[str, Motion]:
    """Return the motion of agents, target and adversary by name, those that are known."""
    names = [*(agent.name for agent in findings.agents), findings.settings.target, TARGET]
    members = findings.recording.members
    names = [name for name in (*names, ADVERSARY) if name in members]
    moved = {name: members[name].motion for name in dict.fromkeys(names)}
    return {name: motion for name, motion in moved.items() if motion is not None}


def has_heights(bodies: dict[str, Motion]) -> bool:
    """Return whether heights differ, from body to body or over time."""
    heights = np.concatenate([np.empty(0), *(motion.position[:, 2] for motion in bodies.values())])
    known = heights[np.isfinite(heights)]
    return bool(len(known)) and float(np.ptp(known)) > LEAST


MAX_POINTS = 3000
ALL_POINTS = 400_000
"""Upper limits of points: of one curve, and of all small multiples together."""

ODOMETRY, COMMAND, TRUTH = 'odometry', 'command', 'truth'

TEXTS = {**SAMPLE_TEXTS, 'filtered': FILTERED_TEXT}


class PlottedQuantity(NamedTuple):
    """Quantity of a small multiple: key, title, unit, and whether zero is marked."""

    key: str
    title: str
    unit: str
    zero: bool


QUANTITIES = (
    PlottedQuantity('radius', 'Radius error', 'm', True),
    PlottedQuantity('speed', 'Speed', 'm/s', True),
    PlottedQuantity('east', 'Velocity east', 'm/s', True),
    PlottedQuantity('north', 'Velocity north', 'm/s', True),
    PlottedQuantity('up', 'Velocity up', 'm/s', True),
    PlottedQuantity('height', 'Height', 'm', False),
    PlottedQuantity('u', 'u', '', True),
)


def metric_curves(findings: Findings) -> list[dict[str, Any]]:
    """Return the curves of the known metrics, for JSON."""
    series = findings.series
    return [
        {
            **describe_quantity(name),
            'unit': TEXTS[name].unit,
            'steps': name == 'alive',
            **curve(series['time'], series[name], MAX_POINTS),
        }
        for name in shown_metrics(TEXTS, series)
        if np.isfinite(series[name]).any()
    ]


def describe_quantity(name: str) -> dict[str, str]:
    """Return name, symbol, meaning and formula of a sampled quantity."""
    text = TEXTS[name]
    return {
        'name': name, 'symbol': text.symbol, 'meaning': text.meaning, 'formula': text.formula
    }


def agent_curves(findings: Findings) -> dict[str, Any]:
    """Return the small multiples for JSON: quantities, and lines by agent and quantity."""
    most = max(300, min(MAX_POINTS, ALL_POINTS // max(1, 10 * len(findings.agents))))
    centre = centre_of(findings)
    lines: dict[str, dict[str, list[dict[str, str]]]] = {}
    for agent in findings.agents:
        agent_lines = lines.setdefault(agent.name, {})
        member = findings.recording.members[agent.name]
        for key, role, time, value in _lines(member, centre, findings.settings.radius):
            if np.isfinite(value).any():
                agent_lines.setdefault(key, []).append({'role': role, **curve(time, value, most)})
    shown = {key for agent_lines in lines.values() for key in agent_lines}
    if not has_heights(moving_bodies(findings)):
        for agent_lines in lines.values():
            agent_lines.pop('height', None)
        shown.discard('height')
    quantities = [quantity._asdict() for quantity in QUANTITIES if quantity.key in shown]
    return {'quantities': quantities, 'lines': lines}


def centre_of(findings: Findings) -> Motion | None:
    """Return the motion of the ring's centre, None if unknown."""
    target = findings.settings.target
    if isinstance(target, tuple):
        time = np.array([0.0, max(findings.recording.duration, 1.0)])
        return Track(time, np.array([target] * 2, float), np.zeros((2, 3)), np.zeros(2))
    member = findings.recording.members.get(target) if target else None
    return member.motion if member else None


Line = tuple[str, str, Floats, Floats]


def _lines(member: Member, centre: Motion | None, radius: float) -> Iterator[Line]:
    moved, commands = member.motion, member.commands
    if moved is not None:
        yield from _lines_of(ODOMETRY if member.truth is None else TRUTH, moved, centre, radius)
    track = member.track
    if member.truth is not None and track is not None and len(track.time):
        yield from _lines_of(ODOMETRY, track, centre, radius)
    if commands is not None and len(commands.time):
        yield from _velocity(COMMAND, commands.time, commands.velocity)
    for source in (member.telemetry, member.states):
        if source is not None and 'u' in source.values:
            yield 'u', ODOMETRY, source.time, source.values['u']
            return


def _lines_of(
    role: str, moved: Motion, centre: Motion | None, radius: float
) -> Iterator[Line]:
    if centre is not None and math.isfinite(radius):
        reach = longest_gap(centre.time)
        middle = interpolated(centre.time, centre.position[:, :2], moved.time, reach=reach)
        yield 'radius', role, moved.time, np.hypot(*(moved.position[:, :2] - middle).T) - radius
    yield 'height', role, moved.time, moved.position[:, 2]
    yield from _velocity(role, moved.time, moved.velocity)


def _velocity(role: str, time: Floats, velocity: Floats) -> Iterator[Line]:
    yield 'speed', role, time, np.linalg.norm(velocity, axis=1)
    for axis, key in enumerate(('east', 'north', 'up')):
        yield key, role, time, velocity[:, axis]
