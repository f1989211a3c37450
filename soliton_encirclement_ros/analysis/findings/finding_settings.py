"""Default reference values and sample times for the evaluation of a recording.

A live monitor knows only past messages, and holds the last. Recordings of other software are
evaluated with the next message, too: positions between two messages are interpolated.
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import (
    ESTIMATED, FROM_SCENARIO, GIVEN, UNKNOWN, FindingSettings, Point
)
from soliton_encirclement_ros.analysis.findings.participants import (
    ObservedBody, Participants, observed_body, participants_of
)
from soliton_encirclement_ros.analysis.recording import Flags, Floats, Recording
from soliton_encirclement_ros.analysis.resampling import (
    SAME, interpolated, merge_spells, usual_step, zero_order_hold
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.run.flown_scenario import FlownScenario, with_values
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

ROUNDING = 1e-6
"""Tolerance of a sample time, as a share of a step."""

TOGETHER = 2.0
"""Bodies that begin (or end) within so many of their usual steps do so together."""


def sample_times(participants: Participants, step: float) -> Floats:
    """Return the times of the samples [s]: those of the target, else even steps [s].

    Steps without new data are left out; in recordings of other software also steps before the last
    of the bodies that begin together, and after the first of those that end together.
    """
    times = _sample_times(participants, step)
    if not participants.is_foreign:
        return times
    bodies = [*participants.agents.values(), participants.target]
    complete = _with_everybody([body.time for body in bodies if body is not None], times)
    return times[complete] if complete.any() else times


def _sample_times(participants: Participants, step: float) -> Floats:
    if participants.target is not None:
        return participants.target.time
    if not participants.agents:
        return np.empty(0)
    first = min(float(body.time[0]) for body in participants.agents.values())
    steps = [
        np.ceil((body.time - first) / step - ROUNDING) for body in participants.agents.values()
    ]
    # Rounded to nanoseconds, as stamps are, so that a step is not just before its sample.
    return np.rint((first + step * np.unique(np.concatenate(steps))) * 1e9) / 1e9


def _with_everybody(times: Sequence[Floats], at: Floats) -> Flags:
    """Return at which times (S,) [s] all bodies that begin and end together are there.

    ``times`` are those of the messages of every body, (K,) each [s].
    """
    complete = np.zeros(len(at), bool)
    for begin, end in merge_spells(times):
        starts, stops = [begin], [end]
        for time in times:
            tolerance = TOGETHER * usual_step(time) + SAME
            inside = time[(time >= begin) & (time <= end)]
            starts += [moment for moment in inside[:1].tolist() if moment <= begin + tolerance]
            stops += [moment for moment in inside[-1:].tolist() if moment >= end - tolerance]
        complete |= (at >= max(starts) - SAME) & (at <= min(stops) + SAME)
    return complete


def sampled(participants: Participants, at: Floats, timeout: float) -> Participants:
    """Return participants of other software with all bodies at some times (S,) [s].

    A place within a gap, longer than the timeout [s], is not known (NaN); participants of this
    package are returned as they are.
    """
    if not participants.is_foreign:
        return participants
    return participants._replace(
        agents={k: _at(body, at, timeout) for k, body in participants.agents.items()},
        target=participants.target and _at(participants.target, at, timeout),
        adversary=participants.adversary and _at(participants.adversary, at, timeout),
    )


def _at(body: ObservedBody, at: Floats, timeout: float) -> ObservedBody:
    """Return a body at some times, on the straight line between its messages."""
    place, velocity = (
        interpolated(body.time, values, at, longest=timeout + SAME)
        for values in (body.position, body.velocity)
    )
    return ObservedBody(at, np.arange(1.0, len(at) + 1), place, velocity, body.from_states)


def is_instant(at: Sequence[float] | Floats) -> bool:
    """Return whether there are samples and all have one time [s]."""
    return len(at) > 0 and bool(at[-1] <= at[0])


def target_positions(participants: Participants, target: str | Point | None, at: Floats) -> Floats:
    """Return the positions of the target at given times, (S, 3) [m], NaN where unknown."""
    if participants.target is not None:
        return zero_order_hold(participants.target.time, participants.target.position, at)
    if target is None or isinstance(target, str):
        return np.full((len(at), 3), math.nan)
    return np.tile(np.array(target, float), (len(at), 1))


def ring_distances(
    participants: Participants, centre: Floats, at: Floats, timeout: float
) -> dict[int, Floats]:
    """Return every agent's horizontal distance to the centre (S, 3) of the ring, (S,) [m].

    NaN while it is not received for longer than the timeout [s], or no member of the ring.
    """
    distances = {}
    for k, body in participants.agents.items():
        offset = zero_order_hold(body.time, body.position[:, :2], at, timeout) - centre[:, :2]
        distances[k] = np.hypot(offset[:, 0], offset[:, 1])
        if body.is_on_ring is not None:
            on_ring = body.is_on_ring.astype(float)
            distances[k][zero_order_hold(body.time, on_ring, at, timeout) != 1.0] = math.nan
    return distances


DEFAULT_COLLISION = RunParameters().collision_distance
"""Distance of two centres [m] below which bodies collide, where the run has not set one."""

MISSED = 3.0
"""Timeout without a scenario, as a multiple of the usual time between two states."""

MAX_NAME_LENGTH = 60

LAST_SHARE = 0.5
"""Share of a recording, at its end, from which an unknown radius is estimated."""

MIN_RADIUS = 1e-3
"""A median distance [m] below this is no ring: the agents are at the target."""


def default_settings(
    recording: Recording, target: str | Point | None = None, radius: float | None = None
) -> FindingSettings:
    """Return reference values from the scenario, else defaults and estimates.

    Args:
        recording: The recording.
        target: Name of a member, or a fixed point [m]; None for the member ``target``, if there
            is one.
        radius: Desired ring radius [m]; None for that of the scenario, else an estimate.

    Raises:
        RunError: There is no such member, or its position was not recorded.
    """
    target = _target(recording, target)
    participants = participants_of(recording, target)
    scenario = recording.scenario or _default_scenario(recording.path, participants)
    known = recording.scenario is not None
    timeout = scenario.swarm.agent_state_timeout
    if not known:  # states may come slowly
        times = [body.time for body in participants.agents.values()]
        timeout = max([timeout, *(MISSED * usual_step(time) for time in times)])
    step = scenario.swarm.control_period
    if radius is not None:
        source = GIVEN
    elif known:
        radius, source = scenario.swarm.encirclement_radius, FROM_SCENARIO
    else:
        radius = median_distance(participants, target, step, timeout)
        radius, source = (radius, ESTIMATED) if radius >= MIN_RADIUS else (math.nan, UNKNOWN)
    swarm = {'agent_state_timeout': timeout}
    if math.isfinite(radius):
        swarm['encirclement_radius'] = radius
    # With fewer agents than recorded, the share alive could exceed 1.
    run = {'num_agents': max(scenario.run.num_agents, len(participants.on_ring))}
    return FindingSettings(
        scenario=with_values(scenario, swarm=swarm, run=run),
        target=target,
        radius=radius,
        radius_from=source,
        timeout=timeout,
        step=step,
        max_speed_xy=scenario.mobility.max_speed_xy if known else None,
        max_speed_z=scenario.mobility.max_speed_z if known else None,
        collision_distance=scenario.run.collision_distance or DEFAULT_COLLISION,
    )


def _target(recording: Recording, target: str | Point | None) -> str | Point | None:
    if target is None:
        usual = recording.members.get(TARGET)
        return TARGET if usual is not None and observed_body(usual) is not None else None
    if not isinstance(target, str):
        return target
    member = recording.members.get(target)
    if member is None or observed_body(member) is None:
        usable = [
            name for name, candidate in recording.members.items()
            if observed_body(candidate) is not None
        ]
        raise RunError(
            f'target {target[:60]!r}: not in the recording; '
            f'name one of {", ".join(usable) or "none"}, or a point X,Y'
        )
    return target


def _default_scenario(path: Path, participants: Participants) -> FlownScenario:
    """Return the default scenario with the number of agents and the name of the bag."""
    name = re.sub(r'[^a-zA-Z0-9.-]', '_', path.name).lstrip('_.-')[:MAX_NAME_LENGTH] or 'recording'
    agents = max(1, len(participants.on_ring))
    return FlownScenario(name, run=RunParameters(num_agents=agents))


def median_distance(
    participants: Participants, target: str | Point | None, step: float, timeout: float
) -> float:
    """Return the median horizontal distance to the target in the second half of a recording [m].

    NaN where no agent was received while the target's position was known. Step and timeout [s] are
    those of ``FindingSettings``.
    """
    times = sample_times(participants, step)
    times = times[math.floor(len(times) * (1.0 - LAST_SHARE)) :]
    participants = sampled(participants, times, timeout)
    centre = target_positions(participants, target, times)
    distances = ring_distances(participants, centre, times, timeout).values()
    values = np.concatenate([np.empty(0), *distances])
    values = values[np.isfinite(values)]
    return float(np.median(values)) if len(values) else math.nan
