"""Reads a bag of any kind and in any state as a recording.

Stamps that no ROS clock produces are left out: before time 0, or with a second or more in nanosec.
Topics of vehicles that a bag names without a message of them are reported.
"""

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from velocity_mobility_ros.core.cdr import BILLION

from soliton_encirclement_ros.analysis.bag import bag_members, topic_roles, tracks
from soliton_encirclement_ros.analysis.bag.bag_accumulator import BagAccumulator
from soliton_encirclement_ros.analysis.bag.bag_clock import SECOND, began_late, clock_of, one_clock
from soliton_encirclement_ros.analysis.bag.bag_members import Found, TopicData
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import NO_STAMP, StampTally
from soliton_encirclement_ros.analysis.bag.decoding.node_reports import ReportTimes
from soliton_encirclement_ros.analysis.bag.normalizer import Normalizer
from soliton_encirclement_ros.analysis.bag.position_checks import (
    duplicate_tracks,
    standing,
    velocity_inconsistencies,
    vertical_plane,
)
from soliton_encirclement_ros.analysis.bag.storage.bag_files import Opened, miscounted, open_bag
from soliton_encirclement_ros.analysis.bag.storage.mcap_file import KEPT
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL, rooted
from soliton_encirclement_ros.analysis.bag.topic_map import TopicMap
from soliton_encirclement_ros.analysis.bag.topic_names import apart
from soliton_encirclement_ros.analysis.bag.topic_roles import (
    FIGURES,
    OTHER,
    TIME,
    roles,
    unmatched,
)
from soliton_encirclement_ros.analysis.recording import SIMULATED, Recording
from soliton_encirclement_ros.analysis.resampling import silences
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import STOP, Fleet

RECEPTION = 'times of reception are used'


def without_invalid_stamps(found: Found, tallies: Mapping[str, StampTally]) -> list[str]:
    """Remove the stamps from topics with many that are invalid; return a line for each kind.

    Times before 0 are judged by the median of a topic: a single wrong stamp is removed later, by
    its reception time.

    Args:
        found: Its rows are changed.
        tallies: What was counted of the stamps, by topic.
    """
    topics = dict.fromkeys(apart(one.topic)[0] for one in found.told.values())
    unset = [topic for topic in topics if topic in tallies and tallies[topic].is_always_zero]
    zero = [f'{topic}: all stamps are 0: {RECEPTION}' for topic in unset]
    return [*_without_overflows(found, tallies), *_without_early(found), *zero]


def _without_overflows(found: Found, tallies: Mapping[str, StampTally]) -> Iterator[str]:
    topics: dict[str, dict[str, int]] = {}
    for whose, told in found.told.items():
        tally = tallies.get(apart(told.topic)[0])
        if tally is None or not tally.is_any_wrong:
            continue
        if tally.is_useless:
            found.told[whose] = _without_stamps(told)
        cost = RECEPTION if tally.is_useless else f'{RECEPTION} for these'
        topics.setdefault(cost, {})[told.topic] = tally.largest
    for cost, largest in topics.items():
        yield (
            f'{named([*largest])}: stamps have nanosec = {max(largest.values())}, must be below '
            f'{BILLION}: {cost}'
        )


def _without_early(found: Found) -> list[str]:
    lines: dict[str, None] = {}  # in order, each once: members may share a topic
    for whose, told in list(found.told.items()):
        stamps = told.rows.stamps[told.rows.stamps != NO_STAMP]
        median = int(np.percentile(stamps, 50, method='nearest')) if len(stamps) else 0
        if median >= 0:
            continue
        if whose[0] == TIME:
            del found.told[whose]
            cost = 'it is not used'
        else:
            found.told[whose] = _without_stamps(told)
            cost = RECEPTION
        lines[f'{told.topic}: stamps before time 0 ({median / BILLION:.3f} s): {cost}'] = None
    return list(lines)


def _without_stamps(told: TopicData) -> TopicData:
    none = np.full_like(told.rows.stamps, NO_STAMP)
    return told._replace(rows=told.rows._replace(stamps=none))


PROGRESS_PERIOD = 0.25
"""Wall time [s] between two calls of ``progress``."""

Progress = Callable[[int, int], None]
"""Called with the number of messages read, and the total or 0."""


def read_recording(
    path: Path,
    names: TopicMap | None = None,
    progress: Progress | None = None,
    flight: int | None = None,
    namespace: str | None = None,
) -> Recording:
    """Read a bag; all complete data is used, the rest is reported in ``problems``.

    Args:
        path: A run's folder, a rosbag2 folder, or a ``.mcap`` or ``.db3`` file.
        names: Map of topics to members; None for the usual names.
        progress: Called a few times a second.
        flight: Which of several simulated flights in the bag, from 1; None for the last.
        namespace: That of the fleet, where several are in the bag; None for the first.

    Raises:
        RunError: The bag has no usable data; one line says why; or there is no such flight or
            fleet.
    """
    path = Path(path)
    opened, pile = _read(path, BagAccumulator(names), progress)
    fleet, swarms, lines = pile.choose(namespace, flight)
    if (lists := pile.needs_lists) or pile.needs_frames:
        opened, pile = _read(path, BagAccumulator(names, lists, frames=not lists), progress)
        fleet, swarms, lines = pile.choose(namespace, flight)
    missing = miscounted(opened.metadata, pile.counts)
    problems = [
        *opened.problems,
        *lines,
        *(line for storage in opened.storages for line in storage.problems),
        *missing,
        *pile.problems(),
    ]
    if not pile.traffic:
        reason = problems[0].removesuffix(KEPT) if problems else 'it holds no messages'
        raise RunError(f'{path}: nothing can be read: {reason}')
    declared = {key for storage in opened.storages for key in storage.declared}
    there = {(rooted(topic), kind) for topic, kind in declared | {*opened.metadata.types.items()}}
    empty = {key for key in there
             if not pile.counts.get(key[0]) and topic_roles.is_of(key[0], fleet, swarms)
             }  # fmt: skip
    chosen = roles({*pile.traffic, *empty}, names)  # what would tell of a vehicle or the swarm
    problems += [f'{key[0]}: no messages' for key in sorted(empty)
                 if key in chosen and chosen[key].kind != OTHER]  # fmt: skip
    if names is not None:
        problems += unmatched(pile.traffic, names, pile.unfit)
    began_ns = opened.metadata.start_ns if missing and not pile.is_one_of_several else None
    is_ours = functools.partial(topic_roles.has_node, fleet=fleet, found=swarms)
    recording = _recording(path, opened, pile, problems, began_ns, fleet, is_ours)
    ours = [one for one in recording.changes if is_ours(one.node)]
    return recording._replace(changes=tuple(ours))


def _read(
    path: Path, pile: BagAccumulator, progress: Progress | None
) -> tuple[Opened, BagAccumulator]:
    with open_bag(path) as opened:
        expected = int(np.sum([*opened.metadata.counts.values(), 0]))
        done, last = 0, 0.0
        for storage in opened.storages:
            pile.begin_file()
            for batch in storage.batches():
                pile.add(batch)
                done += len(batch.starts)
                if progress is not None and time.monotonic() - last > PROGRESS_PERIOD:
                    last = time.monotonic()
                    progress(done, max(expected, done) if expected else 0)
    if progress is not None:
        progress(done, done)
    pile.end()
    return opened, pile


def _recording(
    path: Path,
    opened: Opened,
    pile: BagAccumulator,
    problems: list[str],
    began_ns: int | None,
    fleet: Fleet,
    is_ours: Callable[[str], bool],
) -> Recording:
    """Return the recording in a bag.

    Args:
        path: The bag.
        opened: Its files, read.
        pile: Their content.
        problems: What was found so far.
        began_ns: When it was begun [ns] if messages are missing, perhaps the first; else None.
        fleet: Whose orders of the emergency stop count.
        is_ours: Returns whether a node, by its full name, is of that fleet.
    """
    found = bag_members.found(pile.gatherers, pile.roles, pile.names)
    tallies = {topic: one.tally for (topic, _), one in pile.traffic.items()}
    problems = [*problems, *without_invalid_stamps(found, tallies)]
    clocks = found.told.pop((TIME, ''), None)
    ticks, rivals = None, []
    if clocks is not None:
        ticks, rivals = one_clock(clocks.rows, (one.rows for one in found.told.values()))
    problems = [*problems, *rivals]
    spans = [one.span() for one in pile.traffic.values()]
    first, is_swarm = min(first for first, _ in spans), found.is_ours(opened.scenario)
    clock = clock_of(ticks, (one.rows for one in found.told.values()), first, is_swarm)
    if clock.kind != SIMULATED and first < FIRST_REAL:
        problems = [*problems, 'the clock of the recorder was never set: the date is not known']
    if ticks is None and not rivals and len(clock.logged):
        problems = [*problems, 'there is no /clock: simulated time is that of the stamps']
    received = clock.of_logged(np.array(spans, np.int64).ravel()).tolist()
    begun = clock.of_logged(np.array([began_ns] if began_ns is not None else [], np.int64))
    late = began_late([*received, *begun.tolist()])
    late = late and clock.kind == SIMULATED and opened.scenario is None
    origin_ns = 0 if clock.kind == SIMULATED and not late else min(received)
    frames = pile.names.frames if pile.names else {}
    normalizer = Normalizer(found, clock, origin_ns, frames, opened.scenario)
    parts = normalizer.run()
    edges = [*received, *(bag_members.first_and_last(parts.values()) or ())]
    start_ns = 0 if clock.kind == SIMULATED and not late else min(edges)
    if late:
        line = f'simulated time was at {start_ns / SECOND:.3f} s at first: this is time 0 here'
        problems = [*problems, line]
    when = ReportTimes(pile.traffic, clock, start_ns)
    reports, space = pile.reports, fleet.full_name('').lstrip('/')
    figures = parts.get((FIGURES, bag_members.SWARM))
    everybody = bag_members.members(parts, start_ns)
    duration = (max(edges) - start_ns) / 1e9
    sound = {name: one for name, one in everybody.items() if name not in normalizer.doubtful}
    fixtures, noticed, doubts = [], [], [*normalizer.doubts]
    if normalizer.is_foreign and (plane := vertical_plane(sound)):
        noticed, doubts = [plane[0]], [*doubts, plane[1]]
    if normalizer.is_foreign and pile.names is None:
        fixtures, lines = standing(sound, duration)
        noticed += lines
    return Recording(
        path=path,
        start_ns=start_ns,
        clock=clock.kind,
        duration=duration,
        members=everybody,
        metrics=None if figures is None else tracks.metrics(figures, start_ns),
        topics=tuple(pile.traffic[key].topic(clock, start_ns) for key in sorted(pile.traffic)),
        problems=_together([
            *problems,
            *found.problems,
            *silences(everybody.values()),
            *duplicate_tracks(everybody),
            *velocity_inconsistencies(sound.values()),
            *noticed,
        ]),
        scenario=opened.scenario,
        changes=reports.events.changes(when, opened.scenario and opened.scenario.values),
        stops=reports.stops.changes(when, lambda topic: topic == fleet.full_name(STOP)),
        statuses=tuple(
            one._replace(name=one.name.removeprefix(space))
            for one in reports.statuses.reports(when, is_ours)
        ),
        bridges=tuple(
            one._replace(name=one.name.removeprefix(space))
            for one in reports.bridges.changes(when)
        ),
        sources=tuple(found.sources),
        has_unknown_distances=normalizer.has_unknown_distances,
        doubt=', '.join(dict.fromkeys(doubts)),
        fixtures=tuple(fixtures),
    )


def _together(problems: Iterable[str]) -> tuple[str, ...]:
    """Return problems, those of several topics that are the same in one line."""
    found: dict[str, list[str]] = {}
    for line in problems:
        topic, colon, rest = line.partition(': ')
        is_of_topic = bool(colon) and topic.startswith('/') and ' ' not in topic
        names = found.setdefault(rest if is_of_topic else line, [])
        if is_of_topic and topic not in names:
            names.append(topic)
    return tuple(f'{named(topics)}: {rest}' if topics else rest for rest, topics in found.items())
