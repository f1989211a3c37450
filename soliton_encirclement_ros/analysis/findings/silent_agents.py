"""Vehicles of other software that fall silent: nothing else says that they are down."""

from collections.abc import Iterator, Mapping, Sequence

from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.analysis.findings.finding_records import Outage
from soliton_encirclement_ros.analysis.findings.participants import Participants
from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.analysis.silences import SHORTEST, heard, silent_spells
from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent

MAX_TOLD = 3
"""Times of one body that are told in a line."""

Silent = Mapping[int, Sequence[Outage]]
"""When each agent was silent, by its number."""


def silent_agents(recording: Recording, participants: Participants) -> Silent:
    """Return the silences of all agents; none at all where telemetry or a scenario is known.

    In such a flight a vehicle that is down still sends its odometry.
    """
    if not participants.is_foreign:
        return {}
    others = heard(recording.members.values())
    return {
        k: [Outage(*spell) for spell in silent_spells(body.time, others)]
        for k, body in participants.agents.items()
    }


def silence_events(silent: Silent) -> list[RingEvent]:
    """Return each begin and end of a silence as an event, in order of time."""
    return sorted(
        RingEvent(time, k, failed)
        for k, outages in silent.items()
        for one in outages
        for time, failed in ((one.begin, True), (one.end, False))
        if time is not None
    )


def silence_warnings(
    recording: Recording, participants: Participants, silent: Silent
) -> Iterator[str]:
    """Iterate over a line for each body that was silent, the target included."""
    for k, outages in silent.items():
        if outages:
            name = participants.names[k]
            if seen := _still_heard(recording, name, outages):
                yield (f'{name}: no place {_times(outages)}, but {seen} goes on: it counts as '
                       'down, and may have been out of sight only')  # fmt: skip
            else:
                yield f'{name}: {in_words(outages)}: an outage, it counts as down'
    target = participants.target
    if silent and target is not None:
        others = heard(recording.members.values())
        if spells := silent_spells(target.time, others):
            outages = [Outage(*spell) for spell in spells]
            yield f'{participants.target_name}: {in_words(outages)}: no target, nothing is judged'


def _still_heard(recording: Recording, name: str, outages: Sequence[Outage]) -> str:
    """Return a topic of a vehicle that did not fall silent with it, empty without any."""
    for topic in recording.topics:
        if name in topic.name.split('/') and all(
            topic.longest_gap < SHORTEST and topic.first < one.begin
            and topic.last > (one.begin + SHORTEST if one.end is None else one.end)
            for one in outages
        ):  # fmt: skip
            return topic.name
    return ''


def in_words(outages: Sequence[Outage]) -> str:
    """Return when a body was silent, in words; of several times the first ones."""
    return f'silent {_times(outages)}'


def _times(outages: Sequence[Outage]) -> str:
    told = [
        f'from {one.begin:.2f} s on' if one.end is None
        else f'from {one.begin:.2f} to {one.end:.2f} s'
        for one in outages[:MAX_TOLD]
    ]  # fmt: skip
    more = len(outages) - len(told)
    return ', '.join([*told, f'and {counted(more, "more time")}'] if more else told)
