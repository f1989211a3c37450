"""The flight in a recording of vehicles with bridges to autopilots, without take-off and landing.

A vehicle flies for the swarm while its bridge tracks and no emergency stop holds its agent. A
flight lasts while any does, with pauses of up to ``PAUSE``; judged is its part from the first to
the last moment at which at least half as many do as at its best. So one that drops out does not
end it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.states import State

from soliton_encirclement_ros.analysis.recording import BridgeChange, Recording
from soliton_encirclement_ros.analysis.window import between
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.stop.stop_order import EVERYBODY

PAUSE = 5.0
"""Time [s] for which nobody may fly within a flight, as when all brake for a moment."""


class Flight(NamedTuple):
    """Interval [s], and the vehicles that flew in it, by name."""

    begin: float
    end: float
    names: Sequence[str]


def flown_part(recording: Recording) -> Recording:
    """Return the longest flight of a recording; one without bridges is returned as it is."""
    if not recording.bridges:
        return recording
    found = flights(recording)
    if not found:
        return recording._replace(judged='all of it: no vehicle tracked its agent')
    longest = max(found, key=lambda one: one.end - one.begin)
    others = [one for one in found if one != longest]
    return between(recording, longest.begin, longest.end)._replace(
        problems=recording.problems, judged=_in_words(longest, others)
    )


def flights(recording: Recording) -> list[Flight]:
    """Return all flights of a recording in order of time."""
    groups: list[list[Flight]] = []
    for spell in _spells(recording):
        if groups and spell.begin - groups[-1][-1].end <= PAUSE:
            groups[-1].append(spell)
        else:
            groups.append([spell])
    return [_flight(group) for group in groups]


def _spells(recording: Recording) -> Iterator[Flight]:
    """Iterate over the intervals in which the same vehicles fly, at least one."""
    states: dict[str, str] = {}
    stopped: dict[str, bool] = {}
    changes = sorted((*recording.bridges, *recording.stops), key=lambda one: one.time)
    ends = [*(change.time for change in changes[1:]), recording.duration]
    for change, end in zip(changes, ends, strict=True):
        if isinstance(change, BridgeChange):
            states[change.name] = change.state
        else:
            stopped[change.scope] = change.stop
        names = [
            name for name, state in states.items()
            if state == State.TRACK.name and not stopped.get(EVERYBODY) and not stopped.get(name)
        ]  # fmt: skip
        if names and end > change.time:
            yield Flight(change.time, end, names)


def _flight(spells: Sequence[Flight]) -> Flight:
    most = max(len(spell.names) for spell in spells)
    full = [spell for spell in spells if 2 * len(spell.names) >= most]
    names = dict.fromkeys(name for spell in spells for name in spell.names)
    return Flight(full[0].begin, full[-1].end, sorted(names, key=lambda one: (len(one), one)))


def _in_words(flight: Flight, others: Sequence[Flight]) -> str:
    """Return which part of a recording a flight is, and where its other flights are."""
    rest = 'the rest is take-off and landing (--between for another part)'
    if others:
        there = ', '.join(f'{one.begin:.1f}..{one.end:.1f}' for one in others)
        rest = f'shorter flights: --between {there}'
    return (
        f'{flight.begin:.1f} s to {flight.end:.1f} s, while {named(flight.names)} tracked; {rest}'
    )
