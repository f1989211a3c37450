"""Reads a bag of any kind and in any state as a recording.

Stamps that no ROS clock produces are left out: before time 0, or with a second or more in nanosec.
Topics of vehicles that a bag names without a message of them are reported.
"""

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.analysis.bag import bag_members, topic_roles, tracks
from soliton_encirclement_ros.analysis.bag.bag_accumulator import BagAccumulator
from soliton_encirclement_ros.analysis.bag.bag_clock import (
    SECOND, began_late, clock_of, select_clock
)
from soliton_encirclement_ros.analysis.bag.bag_members import BagData, TopicData
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import NO_STAMP, StampTally
from soliton_encirclement_ros.analysis.bag.decoding.node_reports import ReportTimes
from soliton_encirclement_ros.analysis.bag.normalizer import Normalizer
from soliton_encirclement_ros.analysis.bag.position_checks import (
    duplicate_tracks, find_stationary, vertical_plane
)
from soliton_encirclement_ros.analysis.bag.storage.bag_files import (
    OpenedBag, count_problems, open_bag
)
from soliton_encirclement_ros.analysis.bag.storage.mcap_file import PARTLY_USED
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    FIRST_REAL, printable, with_slash
)
from soliton_encirclement_ros.analysis.bag.topic_map import TopicMap
from soliton_encirclement_ros.analysis.bag.topic_names import split_entry
from soliton_encirclement_ros.analysis.bag.topic_roles import (
    FIGURES, OTHER, TIME, map_problems, roles
)
from soliton_encirclement_ros.analysis.bag.velocity_checks import velocity_inconsistencies
from soliton_encirclement_ros.analysis.recording import SIMULATED, Recording
from soliton_encirclement_ros.analysis.resampling import silences
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import STOP, Fleet
from velocity_mobility_ros.core.cdr import BILLION

RECEPTION = 'times of reception are used'


def without_invalid_stamps(data: BagData, tallies: Mapping[str, StampTally]) -> list[str]:
    """Remove the stamps from topics with many that are invalid; return a line for each kind.

    Times before 0 are judged by the median of a topic: a single wrong stamp is removed later, by
    its reception time.
    """
    topics = dict.fromkeys(split_entry(topic_data.topic)[0] for topic_data in data.topics.values())
    unset = [topic for topic in topics if topic in tallies and tallies[topic].is_always_zero]
    zero = [f'{topic}: all stamps are 0: {RECEPTION}' for topic in unset]
    return [*_without_overflows(data, tallies), *_without_early(data), *zero]


def _without_overflows(data: BagData, tallies: Mapping[str, StampTally]) -> Iterator[str]:
    topics: dict[str, dict[str, int]] = {}
    for key, topic_data in data.topics.items():
        tally = tallies.get(split_entry(topic_data.topic)[0])
        if tally is None or tally.largest < BILLION:
            continue
        if tally.is_useless:
            data.topics[key] = _without_stamps(topic_data)
        cost = RECEPTION if tally.is_useless else f'{RECEPTION} for these'
        topics.setdefault(cost, {})[topic_data.topic] = tally.largest
    for cost, largest in topics.items():
        yield (
            f'{named([*largest])}: stamps have nanosec = {max(largest.values())}, must be below '
            f'{BILLION}: {cost}'
        )


def _without_early(data: BagData) -> list[str]:
    lines: dict[str, None] = {}  # in order, each once: members may share a topic
    for key, topic_data in list(data.topics.items()):
        stamps = topic_data.rows.stamps[topic_data.rows.stamps != NO_STAMP]
        median = int(np.percentile(stamps, 50, method='nearest')) if len(stamps) else 0
        if median >= 0:
            continue
        if key[0] == TIME:
            del data.topics[key]
            cost = 'it is not used'
        else:
            data.topics[key] = _without_stamps(topic_data)
            cost = RECEPTION
        line = f'{topic_data.topic}: stamps before time 0 ({median / BILLION:.3f} s): {cost}'
        lines[line] = None
    return list(lines)


def _without_stamps(topic_data: TopicData) -> TopicData:
    none = np.full_like(topic_data.rows.stamps, NO_STAMP)
    return topic_data._replace(rows=topic_data.rows._replace(stamps=none))


PROGRESS_PERIOD = 0.25
"""Wall time [s] between two calls of ``progress``."""

Progress = Callable[[int, int], None]
"""Called with the number of messages read, and the total or 0."""


@np.errstate(over='ignore', invalid='ignore')  # of absurd numbers, which checks find
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
    opened, bag = _read(path, BagAccumulator(names), progress)
    fleet, fleets, lines = bag.select(namespace, flight)
    if (use_lists := bag.needs_lists) or bag.needs_frames:
        opened, bag = _read(path, BagAccumulator(names, use_lists, frames=not use_lists), progress)
        fleet, fleets, lines = bag.select(namespace, flight)
    missing = count_problems(opened.metadata, bag.counts)
    of_files = [line for storage in opened.storages for line in storage.problems]
    problems = [*opened.problems, *lines, *of_files, *missing, *bag.problems()]
    if not bag.topic_stats:
        reasons = [*of_files, *problems, 'it holds no messages']
        reason = reasons[0].removesuffix(PARTLY_USED)
        raise RunError(f'{path}: nothing can be read: {reason}')
    declared = {*opened.metadata.types.items()}.union(*(one.declared for one in opened.storages))
    empty = {key for key in ((with_slash(topic), printable(kind)) for topic, kind in declared)
             if not bag.counts.get(key[0]) and topic_roles.is_of(key[0], fleet, fleets)
             }  # fmt: skip
    chosen = roles({*bag.topic_stats, *empty}, names)  # what would tell of a vehicle or the swarm
    problems += [f'{key[0]}: no messages' for key in sorted(empty)
                 if key in chosen and chosen[key].kind != OTHER]  # fmt: skip
    if names is not None:
        problems += map_problems(bag.topic_stats, names, bag.body_problem)
    began_ns = opened.metadata.start_ns if missing and not bag.is_one_of_several else None
    is_ours = functools.partial(topic_roles.has_node, fleet=fleet, fleets=fleets)
    return _recording(path, opened, bag, problems, began_ns, fleet, is_ours)


def _read(
    path: Path, bag: BagAccumulator, progress: Progress | None
) -> tuple[OpenedBag, BagAccumulator]:
    with open_bag(path) as opened:
        expected = int(np.sum([*opened.metadata.counts.values(), 0]))
        done, last = 0, 0.0
        for storage in opened.storages:
            bag.begin_file()
            for batch in storage.batches():
                bag.add(batch)
                done += len(batch.starts)
                if progress is not None and time.monotonic() - last > PROGRESS_PERIOD:
                    last = time.monotonic()
                    progress(done, max(expected, done) if expected else 0)
    if progress is not None:
        progress(done, done)
    bag.end()
    return opened, bag


def _recording(
    path: Path,
    opened: OpenedBag,
    bag: BagAccumulator,
    problems: list[str],
    began_ns: int | None,
    fleet: Fleet,
    is_ours: Callable[[str], bool],
) -> Recording:
    """Return the recording in a bag, given its files and their content; problems are added.

    ``began_ns`` is when it was begun [ns] if messages are missing, perhaps the first; ``is_ours``
    returns whether a node, by its full name, is of the fleet, whose orders to stop count.
    """
    data = bag_members.collect_data(bag.decoders, bag.roles, bag.names)
    tallies = {topic: stats.tally for (topic, _), stats in bag.topic_stats.items()}
    problems += without_invalid_stamps(data, tallies)
    clocks = data.topics.pop((TIME, ''), None)
    ticks, rivals = None, []
    if clocks is not None:
        ticks, rivals = select_clock(clocks.rows, (topic.rows for topic in data.topics.values()))
    problems += rivals
    spans = [stats.span() for stats in bag.topic_stats.values()]
    first, is_swarm = min(first for first, _ in spans), data.is_ours(opened.scenario)
    clock = clock_of(ticks, (topic.rows for topic in data.topics.values()), first, is_swarm)
    if clock.kind != SIMULATED and first < FIRST_REAL:
        problems.append('the clock of the recorder was never set: the date is not known')
    if ticks is None and not rivals and len(clock.logged):
        problems.append('there is no /clock: simulated time is that of the stamps')
    received = clock.of_logged(np.array(spans, np.int64).ravel()).tolist()
    began = clock.of_logged(np.array([began_ns] if began_ns is not None else [], np.int64))
    starts_late = began_late([*received, *began.tolist()])
    starts_late = starts_late and clock.kind == SIMULATED and opened.scenario is None
    origin_ns = 0 if clock.kind == SIMULATED and not starts_late else min(received)
    frames = bag.names.frames if bag.names else {}
    normalizer = Normalizer(data, clock, origin_ns, frames, opened.scenario)
    segments = normalizer.run()
    edges = [*received, *(time for segment in segments.values()
                          for time in (*segment.times[:1].tolist(), *segment.times[-1:].tolist()))]
    start_ns = 0 if clock.kind == SIMULATED and not starts_late else min(edges)
    if starts_late:
        at = f'{start_ns / SECOND:.3f} s'
        problems.append(f'simulated time was at {at} at first: this is time 0 here')
    when = ReportTimes(bag.topic_stats, clock, start_ns)
    reports, space = bag.reports, fleet.full_name('').lstrip('/')
    figures = segments.get((FIGURES, bag_members.SWARM))
    all_members = bag_members.members(segments, start_ns)
    duration = (max(edges) - start_ns) / 1e9
    sound = {
        name: member for name, member in all_members.items() if name not in normalizer.doubtful
    }
    problems += data.problems
    problems += silences(all_members.values())
    problems += duplicate_tracks(all_members)
    problems += velocity_inconsistencies(sound.values())
    fixtures, doubts = [], [*normalizer.doubts]
    if normalizer.is_foreign and (plane := vertical_plane(sound)):
        problems.append(plane[0])
        doubts.append(plane[1])
    if normalizer.is_foreign and bag.names is None:
        fixtures, lines = find_stationary(sound, duration)
        problems += lines
    return Recording(
        path=path,
        start_ns=start_ns,
        clock=clock.kind,
        duration=duration,
        members=all_members,
        metrics=None if figures is None else tracks.metrics(figures, start_ns),
        topics=tuple(
            bag.topic_stats[key].topic(clock, start_ns) for key in sorted(bag.topic_stats)
        ),
        problems=_together(problems),
        scenario=opened.scenario,
        changes=reports.events.changes(when, opened.scenario and opened.scenario.values, is_ours),
        stops=reports.stops.changes(when, lambda topic: topic == fleet.full_name(STOP)),
        statuses=tuple(
            status._replace(name=status.name.removeprefix(space))
            for status in reports.statuses.reports(when, is_ours)
        ),
        bridges=tuple(
            change._replace(name=change.name.removeprefix(space))
            for change in reports.bridges.changes(when)
        ),
        sources=tuple(data.sources),
        has_unknown_distances=normalizer.has_unknown_distances,
        doubt=', '.join(dict.fromkeys(doubts)),
        fixtures=tuple(fixtures),
        origin=normalizer.origin,
    )


def _together(problems: Iterable[str]) -> tuple[str, ...]:
    """Return problems, equal ones of several topics merged into one line."""
    topics_of: dict[str, list[str]] = {}
    for line in problems:
        topic, colon, text = line.partition(': ')
        is_of_topic = bool(colon) and topic.startswith('/') and ' ' not in topic
        names = topics_of.setdefault(text if is_of_topic else line, [])
        if is_of_topic and topic not in names:
            names.append(topic)
    return tuple(
        f'{named(topics)}: {text}' if topics else text for text, topics in topics_of.items()
    )
