"""The sample times of a recording, and the positions of all members at these times.

A live monitor knows only what has come so far, and holds it. Recordings of other software are
judged by what came next as well: a place between two messages is on the line between them.
"""

import math
from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Point
from soliton_encirclement_ros.analysis.findings.participants import ObservedBody, Participants
from soliton_encirclement_ros.analysis.recording import Flags, Floats
from soliton_encirclement_ros.analysis.resampling import (
    SAME,
    interpolated,
    usual_step,
    zero_order_hold,
)
from soliton_encirclement_ros.analysis.silences import spells_of

ROUNDING = 1e-6
"""Tolerance of a sample time, as a share of a step."""

TOGETHER = 2.0
"""Bodies that begin within so many of their usual steps begin together; so they end."""


def sample_times(participants: Participants, step: float) -> Floats:
    """Return the times of the samples [s]: those of the target, else even steps.

    Steps without new data are left out; so is, in recordings of other software, what is before
    the last of those that begin together, and after the first of those that end together.

    Args:
        participants: Members with a role.
        step: Length of a step [s].
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
    """Return at which times all have begun that begin together, and none has ended that so ends.

    Args:
        times: (K,) each, of the messages of every body [s].
        at: (S,) times asked for [s].
    """
    complete = np.zeros(len(at), bool)
    for begin, end in spells_of(times):
        starts, stops = [begin], [end]
        for time in times:
            apart = TOGETHER * usual_step(time) + SAME
            inside = time[(time >= begin) & (time <= end)]
            starts += [one for one in inside[:1].tolist() if one <= begin + apart]
            stops += [one for one in inside[-1:].tolist() if one >= end - apart]
        complete |= (at >= max(starts) - SAME) & (at <= min(stops) + SAME)
    return complete


def sampled(participants: Participants, at: Floats, timeout: float) -> Participants:
    """Return the participants of a recording of other software with all bodies at some times.

    A place within a gap is not known (NaN); participants of this package are returned as they are.

    Args:
        participants: Members with a role.
        at: (S,) times of the samples [s].
        timeout: Longest time between two messages that is no gap [s].
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
    """Return every agent's horizontal distance to the target, (S,) [m].

    NaN while it is not received, or no member of the ring.

    Args:
        participants: Members with a role.
        centre: (S, 3) position of the target [m].
        at: (S,) times [s].
        timeout: Age of the last state [s] above which an agent counts as lost.
    """
    found = {}
    for k, body in participants.agents.items():
        offset = zero_order_hold(body.time, body.position[:, :2], at, timeout) - centre[:, :2]
        found[k] = np.hypot(offset[:, 0], offset[:, 1])
        if body.is_on_ring is not None:
            on_ring = body.is_on_ring.astype(float)
            found[k][zero_order_hold(body.time, on_ring, at, timeout) != 1.0] = math.nan
    return found
