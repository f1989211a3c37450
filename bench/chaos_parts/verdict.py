"""The verdict on a flight: every invariant, from what the watcher saw and what was done."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from chaos_parts.director import Director, Start
from chaos_parts.faults import Fault
from chaos_parts.invariants import (
    BACK_WITHIN, CLOSED, TOLERANCE, Breach, Window, find_encounters, gap_error, judge_autopilots,
    judge_commands, judge_encounters, judge_memory, judge_stops, stalled_time, time_of_return,
    window_of, window_of_stall
)
from chaos_parts.swarm import TARGET, vehicle_of
from chaos_parts.watch import Track, Watch

from soliton_encirclement_ros.core.scenario.scenario import Scenario

CLOSED_WITHIN = 10.0
"""Time after the last fault in which the ring is closed [s]."""

BACK_AT_LAST = 60.0
"""Time from its start in which a killed member is back whatever acts [s]."""

LONG = 10.0
"""Length from which on a fault of the network is long [s]."""

LAST = 5.0
"""Time before its end in which the ring is measured [s]."""

CLOSED_FOR = 2.0
"""Time for which it stays so [s]."""


class Flown(NamedTuple):
    """A flight that is over.

    Attributes:
        scenario: What flew.
        home: Computer of each member.
        faults: What was done to it.
        start: Time of the zero of the faults [s].
        end: End of the last fault [s].
        ended: When the observers were asked to end [s].
        watch: What was seen.
        director: What was done beside the faults.
    """

    scenario: Scenario
    home: Mapping[str, str]
    faults: Sequence[Fault]
    start: float
    end: float
    ended: float
    watch: Watch
    director: Director

    def windows(self) -> list[Window]:
        """Return when faults acted, and when the machine stood still."""
        faults = [window_of(fault, self.start) for fault in self.faults]
        return faults + [window_of_stall(stall) for stall in self.watch.stalls]


def judge(flown: Flown) -> tuple[list[Breach], list[str], dict[str, Any]]:
    """Return breaches, what is explained, and figures of a flight."""
    watch, track, windows = flown.watch, flown.watch.track(), flown.windows()
    since = track.times >= flown.start
    track = Track(track.times[since], track.positions[since])
    bound = flown.scenario.safety.separation_distance - TOLERANCE
    encounters = find_encounters(track.times, track.positions, watch.names, bound)
    breaches, explained = judge_encounters(encounters, windows, flown.start)
    limits = flown.scenario.limits_of(watch.names[0])
    for name in watch.names[:-1]:
        commands = watch.commands[name]
        breaches += judge_commands(name, commands, limits.max_speed_xy, limits.max_speed_z)
        breaches += judge_stops(name, commands, flown.director.stops.get(name, ()))
    late, returns = _judge_returns(flown, track)
    breaches += [one for one, reason in late if not reason]
    explained += [f'{one.who}: {one.text}: {reason}' for one, reason in late if reason]
    breaches += judge_memory(watch.sizes)
    breaches += judge_autopilots(watch.autopilots)
    closed = _time_to_close(flown, track)
    stalled = stalled_time(watch.stalls, flown.end, flown.end + closed)
    if closed - stalled > CLOSED_WITHIN:
        text = f'E_gap below {CLOSED:g} only {closed:.1f} s after the last fault'
        breaches.append(Breach('ring', flown.end, 'all', text))
    breaches = [one._replace(at=one.at - flown.start) for one in breaches]
    figures = {
        'nearest_m': _least(track), 'closed_after_s': closed, 'returns_s': returns,
        'encounters': len(encounters),
        'stalled_s': stalled_time(watch.stalls, flown.start, flown.ended),
        'stops_judged': sum(map(len, flown.director.stops.values())),
        'commands': sum(map(len, watch.commands.values())),
        'gaps_at_end': gaps_at_end(flown, track),
        'duration_s': float(track.times[-1] - track.times[0]),
    }  # fmt: skip
    return breaches, explained, figures


def gaps_at_end(flown: Flown, track: Track) -> dict[str, float]:
    """Return E_gap in the last seconds of each long fault of the network.

    In a partition each part is a ring of its own; the worse one counts.
    """
    found = {}
    for fault in flown.faults:
        if fault.kind not in ('radio', 'partition') or fault.length < LONG:
            continue
        end = flown.start + fault.end
        during = (track.times > end - LAST) & (track.times <= end)
        is_cut = np.array([flown.home[name] in fault.who for name in flown.watch.names[:-1]])
        worst = 0.0
        for part in (is_cut, ~is_cut) if fault.kind == 'partition' else (is_cut | True,):
            gaps = [gap_error(p[:-1][part], p[-1]) for p in track.positions[during]]
            worst = max(worst, float(np.mean(gaps)))
        found[f'{fault.at:.0f} s: {fault}'] = round(worst, 3)
    return found


def _least(track: Track) -> float:
    i, j = np.triu_indices(track.positions.shape[1], 1)
    return float(np.linalg.norm(track.positions[:, i] - track.positions[:, j], axis=2).min())


def _time_to_close(flown: Flown, track: Track) -> float:
    """Return after which time from the last fault the ring is closed for a while [s]."""
    since = None
    for at, positions in zip(track.times, track.positions, strict=True):
        if at < flown.end or gap_error(positions[:-1], positions[-1]) >= CLOSED:
            since = None
        elif since is None:
            since = at
        elif at - since >= CLOSED_FOR:
            return float(since - flown.end)
    return math.inf


def _judge_returns(
    flown: Flown, track: Track
) -> tuple[list[tuple[Breach, str]], list[float]]:
    """Return members that were not back in time, each with what explains it, and all times."""
    late, returns = [], []
    for start in flown.director.starts:
        if vehicle_of(start.who) not in flown.watch.names:
            continue
        took = _return_of(flown, track, start)
        returns.append(round(took, 2))
        if took - stalled_time(flown.watch.stalls, start.at, start.at + took) > BACK_WITHIN:
            text = f'not back {BACK_WITHIN:g} s after its start ({took:.1f} s)'
            breach = Breach('return', start.at, start.who, f'{text}: {start.fault}')
            waited = took - stalled_time(flown.watch.stalls, start.at, start.at + took)
            is_lost = waited > BACK_AT_LAST and start.at + BACK_AT_LAST < flown.end
            late.append((breach, '' if is_lost else _excuse(flown, start, took)))
    return late, returns


def _return_of(flown: Flown, track: Track, start: Start) -> float:
    vehicle, radius = vehicle_of(start.who), flown.scenario.swarm.encirclement_radius
    commanded = np.array([command[0] for command in flown.watch.commands[vehicle]])
    radii = np.full(len(track.times), radius)
    if vehicle != TARGET:
        k = flown.watch.names.index(vehicle)
        offsets = track.positions[:, k, :2] - track.positions[:, -1, :2]
        radii = np.linalg.norm(offsets, axis=1)
    return time_of_return(start.at, track.times, radii, commanded, radius)


def _excuse(flown: Flown, start: Start, took: float) -> str:
    """Return what else acted until a member was back: on it, on the target, or on the network."""
    end = min(start.at + took, flown.end + CLOSED_WITHIN)
    own = {TARGET, flown.home[start.who], flown.home[TARGET]}
    own |= {node for node in flown.home if vehicle_of(node) == vehicle_of(start.who)}
    windows = [
        window for window in (window_of(fault, flown.start) for fault in flown.faults)
        if window.text != str(start.fault) and window.begin <= end and window.end >= start.at
        and (own & set(window.who) if window.is_within_contract else True)
    ]  # fmt: skip
    return '; '.join(window.text for window in windows)

