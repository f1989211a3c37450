"""The members of a recording by role, their positions, and when they fall silent.

Members are agents, target and adversary; where a simulation has recorded how they really moved,
their positions are the true ones. Of a vehicle of other software only its silence says that it is
down.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.findings.finding_records import Outage, Point
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange, Commands, Flags, Floats, Member, Recording, StateSeries, Telemetry, Track
)
from soliton_encirclement_ros.analysis.resampling import (
    SHORTEST, active_spells, interpolated, silent_spells, zero_order_hold
)
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import RingEvent
from soliton_encirclement_ros.core.states.state_codec import RING_MEMBER
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav_id
from velocity_mobility_ros.core.user_errors import counted

Said = TypeVar('Said', StateSeries, Telemetry)


def with_truth(member: Member) -> Member:
    """Return a member whose track, states and telemetry have its true position and velocity.

    Samples at times without a recorded truth stay as they are; so does a member without truth.
    """
    if member.truth is None or not len(member.truth.time):
        return member
    states, telemetry = (
        _with_truth(series, member) for series in (member.states, member.telemetry)
    )
    return member._replace(track=member.truth, states=states, telemetry=telemetry)


def _with_truth(series: Said | None, member: Member) -> Said | None:
    if series is None:
        return None
    true = member.truth
    places, velocities = (
        interpolated(true.time, column, series.time) for column in (true.position, true.velocity)
    )
    known = np.isfinite(places) & np.isfinite(velocities)
    return series._replace(
        position=np.where(known, places, series.position),
        velocity=np.where(known, velocities, series.velocity),
    )


WEIGHT = '/lambda'
"""End of the name of an arc's weight, after the name of the agent at its start."""

LAST_NUMBER = re.compile(r'(?<!\d)(\d{1,9})$', re.ASCII)

Part = TypeVar('Part', Track, Commands, StateSeries, Telemetry)

NO_WEIGHTS: Mapping[int, Floats] = MappingProxyType({})


class ObservedBody(NamedTuple):
    """One body as observed: (K,) ``time`` [s] and ``seq``, (K, 3) position and velocity.

    ``from_states`` is True for its state messages, False for its odometry; ``is_on_ring`` (K,) is
    whether it reports to be a member of the ring, None if it always is; ``weights`` are those of
    the arcs by the target, (K,) each by number of the agent, NaN where it gives none.
    """

    time: Floats
    seq: Floats
    position: Floats
    velocity: Floats
    from_states: bool
    is_on_ring: Flags | None = None
    weights: Mapping[int, Floats] = NO_WEIGHTS

    def select(self, selected: NDArray[Any]) -> 'ObservedBody':
        """Return the samples with some indices, or with flags that are set."""
        ring = None if self.is_on_ring is None else self.is_on_ring[selected]
        columns = (column[selected] for column in self[:4])
        weights = {k: column[selected] for k, column in self.weights.items()}
        return ObservedBody._make((*columns, self.from_states, ring, weights))


class Participants(NamedTuple):
    """Members of a recording by role.

    Attributes:
        members: Agents by number, without the one used as target.
        agents: Their observed motion, if recorded.
        telemetry: Their telemetry, if recorded.
        target: Observed motion of the target; None for a fixed point, or without a target.
        target_name: Its name, None if it has none.
        adversary: Observed motion of the adversary.
        bridges: States of the bridges to autopilots, in order of time.
        is_foreign: Whether other software flew: there is no scenario, and there are no states or
            telemetry of this package.
    """

    members: Mapping[int, Member]
    agents: Mapping[int, ObservedBody]
    telemetry: Mapping[int, Telemetry]
    target: ObservedBody | None
    target_name: str | None
    adversary: ObservedBody | None
    bridges: Sequence[BridgeChange] = ()
    is_foreign: bool = False

    @property
    def names(self) -> dict[int, str]:
        """Names of the agents by number."""
        return {k: member.name for k, member in self.members.items()}

    @property
    def uses_states(self) -> bool:
        """Whether agents are observed by their state messages."""
        return any(body.from_states for body in self.agents.values())

    @property
    def on_ring(self) -> list[int]:
        """Numbers of the agents that are members of the ring at any time."""
        flags = {k: body.is_on_ring for k, body in self.agents.items()}
        return [k for k in self.members if flags.get(k) is None or flags[k].any()]

    def stands(self, name: str, at: Floats) -> Flags:
        """Return whether a vehicle is known to stand on the ground at some times (S,) [s]."""
        changes = [change for change in self.bridges if change.name == name]
        times = np.array([change.time for change in changes])
        return zero_order_hold(times, [change.stands for change in changes], at) == 1.0


def participants_of(recording: Recording, target: str | Point | None) -> Participants:
    """Return the participants of a recording, by the name of the target or its fixed point [m].

    If the bag has states of any agent, agents are observed by states only, as by a live monitor;
    else by odometry while they are up. Where the true motion is recorded, it counts.
    """
    name = target if isinstance(target, str) else None
    true_members = {name: with_truth(member) for name, member in recording.members.items()}
    recording = recording._replace(members=true_members)
    members = number_agents(recording, name)
    uses_states = any(nonempty(member.states) is not None for member in members.values())
    agents = {
        k: _by_states(member) if uses_states else _while_up(member)
        for k, member in members.items()
    }
    telemetry = {k: nonempty(member.telemetry) for k, member in members.items()}
    other = ADVERSARY if ADVERSARY in recording.members and name != ADVERSARY else None
    recorded = {k: series for k, series in telemetry.items() if series is not None}
    return Participants(
        members,
        {k: body for k, body in agents.items() if body is not None},
        recorded,
        None if name is None else observed_body(recording.members[name]),
        name,
        None if other is None else observed_body(recording.members[other]),
        recording.bridges,
        recording.scenario is None and not uses_states and not recorded,
    )


def number_agents(recording: Recording, target: str | None) -> dict[int, Member]:
    """Return the agents by number: k of ``uav_k``, else the number at the end of the name.

    Agents without a number, or with that of another, get the next free one from 1 on.
    """
    agents = [
        member for name, member in recording.members.items()
        if name not in (TARGET, ADVERSARY, target, *recording.fixtures)
    ]  # fmt: skip
    agents_by_number: dict[int, Member] = {}
    unnumbered = []
    for member in sorted(agents, key=lambda member: uav_id(member.name) is None):
        match = LAST_NUMBER.search(member.name)
        k = int(match[1]) if match else None
        if k is None or k in agents_by_number:
            unnumbered.append(member)
        else:
            agents_by_number[k] = member
    for member in unnumbered:
        k = next(k for k in range(1, len(agents) + 1) if k not in agents_by_number)
        agents_by_number[k] = member
    return dict(sorted(agents_by_number.items()))


def observed_body(member: Member) -> ObservedBody | None:
    """Return the data of a member: its states, odometry or telemetry; None without any."""
    return _by_states(member) or _by_track(member)


def nonempty(series: Part | None) -> Part | None:
    """Return a series of a member; None if it has no samples."""
    return series if series is not None and len(series.time) else None


def _by_states(member: Member) -> ObservedBody | None:
    states = nonempty(member.states)
    if states is None:
        return None
    flags = states.values.get(RING_MEMBER)
    ring = None if flags is None else flags != 0.0
    weights = {uav_id(name.removesuffix(WEIGHT)): values
               for name, values in states.values.items() if name.endswith(WEIGHT)}  # fmt: skip
    weights.pop(None, None)
    return ObservedBody(*states[:4], True, ring, weights)


def _by_track(member: Member) -> ObservedBody | None:
    track = nonempty(member.track) or nonempty(member.telemetry)
    if track is None:
        return None
    seq = np.arange(1.0, len(track.time) + 1)
    return ObservedBody(track.time, seq, track.position, track.velocity, False)


def _while_up(member: Member) -> ObservedBody | None:
    """Return the track of an agent without its outages."""
    body, telemetry = _by_track(member), nonempty(member.telemetry)
    if body is None or telemetry is None:
        return body
    up = zero_order_hold(telemetry.time, telemetry.failed, body.time) != 1.0
    return body.select(up) if up.any() else None


MAX_LISTED = 3
Silences = Mapping[int, Sequence[Outage]]
"""When each agent was silent, by its number."""


def silent_agents(recording: Recording, participants: Participants) -> Silences:
    """Return the silences of all agents; none where there are telemetry or a scenario.

    In such flights a vehicle that is down still sends its odometry.
    """
    if not participants.is_foreign:
        return {}
    others = active_spells(recording.members.values())
    return {
        k: [*starmap(Outage, silent_spells(body.time, others))]
        for k, body in participants.agents.items()
    }


def silence_events(silent: Silences) -> list[RingEvent]:
    """Return each begin and end of a silence as an event, in order of time."""
    return sorted(
        RingEvent(time, k, failed)
        for k, outages in silent.items()
        for outage in outages
        for time, failed in ((outage.begin, True), (outage.end, False))
        if time is not None
    )


def silence_warnings(
    recording: Recording, participants: Participants, silent: Silences
) -> Iterator[str]:
    """Iterate over a line for each body that was silent, the target included."""
    for k, outages in silent.items():
        if outages:
            name = participants.names[k]
            if topic := _still_heard(recording, name, outages):
                yield (f'{name}: no place {_times(outages)}, but {topic} goes on: it counts as '
                       'down, and may have been out of sight only')  # fmt: skip
            else:
                yield f'{name}: silent {_times(outages)}: an outage, it counts as down'
    target = participants.target
    if silent and target is not None:
        spells = silent_spells(target.time, active_spells(recording.members.values()))
        if outages := [*starmap(Outage, spells)]:
            silence = f'silent {_times(outages)}'
            yield f'{participants.target_name}: {silence}: no target, nothing is judged'


def _still_heard(recording: Recording, name: str, outages: Sequence[Outage]) -> str:
    """Return a topic of a vehicle that did not fall silent with it, empty without any."""
    for topic in recording.topics:
        if name in topic.name.split('/') and all(
            topic.longest_gap < SHORTEST and topic.first < outage.begin
            and topic.last > (outage.begin + SHORTEST if outage.end is None else outage.end)
            for outage in outages
        ):  # fmt: skip
            return topic.name
    return ''


def _times(outages: Sequence[Outage]) -> str:
    """Return the first intervals in which a body was silent, as text."""
    intervals = [
        f'from {outage.begin:.2f} s on' if outage.end is None
        else f'from {outage.begin:.2f} to {outage.end:.2f} s'
        for outage in outages[:MAX_LISTED]
    ]  # fmt: skip
    more = len(outages) - len(intervals)
    return ', '.join([*intervals, f'and {counted(more, "more time")}'] if more else intervals)
