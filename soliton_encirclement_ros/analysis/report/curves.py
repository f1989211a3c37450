"""The curves of the report: metrics of the swarm, and small multiples of the agents."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Findings
from soliton_encirclement_ros.analysis.recording import Floats, Member, Recording
from soliton_encirclement_ros.analysis.report.heights import has_heights, moving_bodies
from soliton_encirclement_ros.analysis.report.page_arrays import curve
from soliton_encirclement_ros.analysis.report.scene import SceneMotion, motion
from soliton_encirclement_ros.analysis.resampling import interpolated, longest_gap
from soliton_encirclement_ros.core.ring.metrics import (
    FILTERED_TEXT,
    SAMPLE_TEXTS,
    MetricText,
    told_metrics,
)

MAX_POINTS = 3000
ALL_POINTS = 400_000
"""Upper limits of points: of one curve, and of all small multiples together."""

ODOMETRY, COMMAND, TRUTH = 'odometry', 'command', 'truth'


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
    series, texts = findings.series, {**SAMPLE_TEXTS, 'filtered': FILTERED_TEXT}
    return [
        {
            'name': name,
            **_described(texts[name]),
            'unit': texts[name].unit,
            'steps': name == 'alive',
            **curve(series['time'], series[name], MAX_POINTS),
        }
        for name in told_metrics(texts, series)
        if np.isfinite(series[name]).any()
    ]


def described(name: str) -> dict[str, str]:
    """Return symbol, meaning and formula of a sampled quantity."""
    return _described(SAMPLE_TEXTS[name])


def _described(text: MetricText) -> dict[str, str]:
    return {'symbol': text.symbol, 'meaning': text.meaning, 'formula': text.formula}


def agent_curves(recording: Recording, findings: Findings) -> dict[str, Any]:
    """Return the small multiples for JSON: quantities, and lines by agent and quantity."""
    most = max(300, min(MAX_POINTS, ALL_POINTS // max(1, 10 * len(findings.agents))))
    centre = centre_of(recording, findings)
    lines: dict[str, dict[str, list[dict[str, str]]]] = {}
    for agent in findings.agents:
        found = lines.setdefault(agent.name, {})
        member = recording.members[agent.name]
        for key, role, time, value in _lines(member, centre, findings.settings.radius):
            if np.isfinite(value).any():
                found.setdefault(key, []).append({'role': role, **curve(time, value, most)})
    shown = {key for found in lines.values() for key in found}
    if not has_heights(moving_bodies(recording, findings)):
        for found in lines.values():
            found.pop('height', None)
        shown.discard('height')
    quantities = [quantity._asdict() for quantity in QUANTITIES if quantity.key in shown]
    return {'quantities': quantities, 'lines': lines}


def centre_of(recording: Recording, findings: Findings) -> SceneMotion | None:
    """Return the motion of the ring's centre, None if unknown."""
    target = findings.settings.target
    if isinstance(target, tuple):
        place, still = np.array([target, target], float), np.zeros((2, 3))
        return SceneMotion(np.array([0.0, max(findings.duration, 1.0)]), place, still)
    member = recording.members.get(target) if target else None
    return motion(member) if member else None


Line = tuple[str, str, Floats, Floats]


def _lines(member: Member, centre: SceneMotion | None, radius: float) -> Iterator[Line]:
    moved, commands = motion(member), member.commands
    if moved is not None:
        yield from _moved(ODOMETRY if member.truth is None else TRUTH, moved, centre, radius)
    track = member.track
    if member.truth is not None and track is not None and len(track.time):
        measured = SceneMotion(track.time, track.position, track.velocity)
        yield from _moved(ODOMETRY, measured, centre, radius)
    if commands is not None and len(commands.time):
        yield from _velocity(COMMAND, commands.time, commands.velocity)
    for source in (member.telemetry, member.states):
        if source is not None and 'u' in source.values:
            yield 'u', ODOMETRY, source.time, source.values['u']
            return


def _moved(
    role: str, moved: SceneMotion, centre: SceneMotion | None, radius: float
) -> Iterator[Line]:
    if centre is not None and math.isfinite(radius):
        yield 'radius', role, moved.time, _radius_error(moved, centre, radius)
    yield 'height', role, moved.time, moved.position[:, 2]
    yield from _velocity(role, moved.time, moved.velocity)


def _velocity(role: str, time: Floats, velocity: Floats) -> Iterator[Line]:
    yield 'speed', role, time, np.linalg.norm(velocity, axis=1)
    for axis, key in enumerate(('east', 'north', 'up')):
        yield key, role, time, velocity[:, axis]


def _radius_error(moved: SceneMotion, centre: SceneMotion, radius: float) -> Floats:
    reach = longest_gap(centre.time)
    middle = interpolated(centre.time, centre.position[:, :2], moved.time, reach=reach)
    offset = moved.position[:, :2] - middle
    return np.hypot(offset[:, 0], offset[:, 1]) - radius
