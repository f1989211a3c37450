"""Data read from a bag, topic by topic: rates, gaps, latency and unusable messages."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from soliton_encirclement_ros.analysis.bag import topic_roles
from soliton_encirclement_ros.analysis.bag.bag_clock import (
    LARGEST_LATENCY, LARGEST_LEAD, SECOND, Clock, describe_flights, flights, in_order,
    select_flight
)
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    NO_STAMP, Columns, TopicTimes, Types, stamps
)
from soliton_encirclement_ros.analysis.bag.decoding.node_reports import NodeReports
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import TopicDecoder
from soliton_encirclement_ros.analysis.bag.frame_tree import body_problem, is_own
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    CDR, Channel, Integers, MessageBatch, RecorderClock, printable, unpack_messages, with_slash
)
from soliton_encirclement_ros.analysis.bag.topic_map import CMD_VEL, ODOM, TRUTH, TopicMap
from soliton_encirclement_ros.analysis.bag.topic_roles import (
    FIGURES, FRAMES, LIST_TYPES, MAX_NAMED, OTHER, TIME, Key, Role, listed, may_be_shared, roles,
    unused_topics
)
from soliton_encirclement_ros.analysis.recording import Topic
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

MAX_LATENCY = 3600 * SECOND
"""Beyond this [ns], some of the stamps are from another clock."""


class TopicStatistics(TopicTimes):
    """Times of all messages of a topic, and its statistics."""

    def __init__(self, name: str, type_name: str) -> None:
        """Begin with none."""
        super().__init__()
        self.name, self.type = name, type_name

    def span(self) -> tuple[int, int]:
        """Return the log times of the first and the last message [ns]."""
        logged = self.in_order()[0]
        return int(logged.min()), int(logged.max())

    def in_order(self) -> Columns:
        """Return log times [ns] and stamps [ns] of the selected messages, without outliers."""
        logged, stamps = self.logged[self.selected], self.stamps[self.selected]
        is_ordered = in_order(logged)
        return logged[is_ordered], stamps[is_ordered]

    def topic(self, clock: Clock, start_ns: int) -> Topic:
        """Return the statistics, given the clock of the recording and its start [ns]."""
        logged, stamps = self.in_order()
        if self.tally.is_useless:
            stamps = np.full_like(stamps, NO_STAMP)
        received = clock.of_logged(logged)
        times = np.sort(received)
        gaps, seconds = np.diff(times), (times - start_ns) / 1e9
        span = int(times[-1]) - int(times[0])
        rate = len(gaps) / (span / 1e9) if span > 0 else math.nan
        gap, gap_at = math.nan, math.nan
        if len(gaps):
            gap, gap_at = int(gaps.max()) / 1e9, float(seconds[gaps.argmax()])
        return Topic(
            self.name, self.type, int(np.count_nonzero(self.selected)), float(seconds[0]),
            float(seconds[-1]), rate, gap, gap_at, *_latency(received, stamps),
        )  # fmt: skip


def _latency(received: Integers, stamps: Integers) -> tuple[float, float]:
    """Return median and 95th percentile of the latency [s]; NaN for clocks that differ."""
    has = stamps != NO_STAMP
    if not has.any():
        return math.nan, math.nan
    median, high = np.percentile((received - stamps)[has], (50, 95)).tolist()
    if not -LARGEST_LEAD <= median <= LARGEST_LATENCY:
        return math.nan, math.nan
    return median / 1e9, high / 1e9 if high <= MAX_LATENCY else math.nan


NAVSAT = 'sensor_msgs/msg/NavSatFix'
NAVSAT_CURE = (
    '; of a NavSatFix navsat_transform_node of robot_localization makes an Odometry: record that'
)


class BagAccumulator:
    """Collects the batches of a bag, and selects one flight and one fleet.

    Attributes:
        topic_stats: Times of the messages by topic and type.
        decoders: Decoders of those topics that may be relevant.
        reports: Messages in which nodes report on themselves.
        clock: Clock of the recorder.
        counts: Number of messages in the bag, by topic.
        is_one_of_several: Whether there are further flights.
    """

    def __init__(
        self, names: TopicMap | None, lists: bool = False, frames: bool = False
    ) -> None:
        """Start empty.

        Args:
            names: Map of topics to members; None for the usual names.
            lists: Whether topics with several bodies are used, without a map.
            frames: Whether transforms are read that are no bodies themselves.
        """
        self.names = names
        self._lists, self._frames = lists, frames
        self.types = Types()
        self.reports = NodeReports()
        self.topic_stats: dict[Key, TopicStatistics] = {}
        self.decoders: dict[Key, TopicDecoder] = {}
        self.clock = RecorderClock({}, ())
        self.is_one_of_several = False
        self.counts: Counter[str] = Counter()
        self._files: list[int] = []
        self._packed: Counter[str] = Counter()
        self._foreign: defaultdict[str, list[str]] = defaultdict(list)

    def begin_file(self) -> None:
        """Expect batches of another file."""
        self._files.append(sum(times.count for times in self.topic_stats.values()))

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        batch, packed = unpack_messages(batch)
        channel = batch.channel
        channel = channel._replace(topic=with_slash(channel.topic), type=printable(channel.type))
        batch = batch._replace(channel=channel)
        self._packed[channel.topic] += packed
        if not len(batch.starts):
            return
        key = (channel.topic, channel.type)
        if key not in self.topic_stats:
            self._add_topic(key, channel, int(batch.sizes[0]))
        times = self.topic_stats[key]
        if key in self.decoders:
            self.decoders[key].add(batch)
        else:
            self.reports.add(self.types, batch, times.count)
        message_stamps = stamps(self.types, batch, times.tally)
        times.add(batch.places + self._files[-1], batch.logged, message_stamps)

    def end(self) -> None:
        """Find steps of the recorder's clock once all is read, and undo them."""
        for (topic, _), times in self.topic_stats.items():
            times.end()
            self.counts[topic] += times.count
        self.clock = RecorderClock(self.topic_stats, self._files)
        for times in self.topic_stats.values() if self.clock.steps else ():
            times.logged, times.stamps = self.clock.without_steps(times, NO_STAMP)

    def select(
        self, namespace: str | None, number: int | None
    ) -> tuple[Fleet, Sequence[Fleet], list[str]]:
        """Keep one fleet and one flight; return the fleet, all fleets, and messages.

        By default that is the first fleet, and the last flight; flights are counted from 1.

        Raises:
            RunError: There is no such fleet or flight.
        """
        fleets, lines = topic_roles.fleets(self.topic_stats), []
        fleet = topic_roles.select_fleet(fleets, namespace)
        if len(fleets) > 1:
            lines = [topic_roles.describe_fleets(fleets, fleet)]
            self._keep_topics(lambda key: topic_roles.is_of(key[0], fleet, fleets))
        ticks = [self.topic_stats[key].in_order() for key, role in self.roles.items()
                 if role.kind == TIME]  # fmt: skip
        bag_flights = flights(*(ticks[0] if ticks else np.zeros((2, 0), np.int64)))
        number = select_flight(bag_flights, number)
        if len(bag_flights) > 1:
            self.is_one_of_several = True
            lines.append(describe_flights(bag_flights, number))
            begin, end, _ = bag_flights[number - 1]
            for times in self.topic_stats.values():
                times.selected = (times.logged >= begin) & (times.logged < end)
            self._keep_topics(lambda key: bool(self.topic_stats[key].selected.any()))
        return fleet, fleets, lines

    def _keep_topics(self, wanted: Callable[[Key], bool]) -> None:
        self.__dict__.pop('roles', None)  # those of the other topics are other ones
        self.topic_stats = {key: times for key, times in self.topic_stats.items() if wanted(key)}
        self.decoders = {
            key: decoder for key, decoder in self.decoders.items() if key in self.topic_stats
        }

    def _add_topic(self, key: Key, channel: Channel, size: int) -> None:
        if channel.serialization != CDR:
            self._foreign[channel.serialization].append(channel.topic)
        known = self.types.learn(channel, size)
        self.topic_stats[key] = TopicStatistics(*key)
        is_link = self._frames and channel.type == FRAMES
        if known and (is_link or roles([key], self.names, self._lists) or may_be_shared(*key)):
            self.decoders[key] = TopicDecoder(self.types, channel.type, self.topic_stats[key])

    @cached_property
    def roles(self) -> dict[Key, Role]:
        """Roles of all topics, once the bag is read."""
        return roles(self.topic_stats, self.names, self._lists)

    @property
    def needs_lists(self) -> bool:
        """Whether positions are only in topics with several bodies, which were left out."""
        has_lists = any(kind in LIST_TYPES for _, kind in self.topic_stats)
        return has_lists and self.names is None and not self._has_positions()

    @property
    def needs_frames(self) -> bool:
        """Whether vehicles report positions in frames of their own, and there are transforms."""
        frames = {frame for key, role in self.roles.items()
                  if role.kind in (ODOM, TRUTH) and key in self.decoders
                  for frame in self.decoders[key].frames if is_own(frame)}  # fmt: skip
        return len(frames) > 1 and any(kind == FRAMES for _, kind in self.topic_stats)

    def body_problem(self, topic: str, entry: str) -> str:
        """Return what is wrong with a body that a map names in a topic with several bodies."""
        lists = [(name, decoder.bodies) for (name, _), decoder in self.decoders.items()
                 if decoder.bodies]  # fmt: skip
        return body_problem(lists, topic, entry)

    def problems(self) -> list[str]:
        """Return messages that could not be decompressed, unknown types, unusual names."""
        return [
            *self.clock.problems(),
            *(f'{topic}: {count} messages cannot be decompressed: left out'
              for topic, count in self._packed.items() if count),
            *(f'{", ".join(topics[:MAX_NAMED])}: written as {form[:20]!r}, but only cdr is read: '
              'convert the bag to ROS 2'
              for form, topics in sorted(self._foreign.items())),
            *self.reports.problems(),
            *self._lines_on_undefined(),
            *self._lines_on_guesses(),
            *self._unused(),
        ]  # fmt: skip

    def _lines_on_undefined(self) -> Iterator[str]:
        """Iterate over a line for every relevant type without a definition."""
        unknown = [key for key, role in self.roles.items()
                   if role.kind != OTHER and key not in self.decoders]  # fmt: skip
        for kind in sorted({kind for _, kind in unknown}):
            topics = ', '.join(topic for topic, type_name in unknown if type_name == kind)
            reason = self.types.problems.get(kind, 'its type is not known')
            yield f'{topics}: cannot be decoded: {kind}: {reason}'

    def _lines_on_guesses(self) -> Iterator[str]:
        """Iterate over a line for every type whose definition was guessed."""
        for kind, release in sorted(self.types.assumed.items()):
            topics = ', '.join(topic for topic, type_name in self.decoders if type_name == kind)
            if topics:
                yield (f'{topics}: the definition of {kind} is not in the bag: '
                       f'taken for that of PX4 {release}, by its length')  # fmt: skip

    def _unused(self) -> Iterator[str]:
        """Iterate over a line on relevant topics that are not used, and on missing ones."""
        unread = {topic for topics in self._foreign.values() for topic in topics}
        keys = sorted(key for key in self.topic_stats if key[0] not in unread)
        if self.names is None:
            yield from unused_topics(keys, self.roles)
        if keys and not self._has_positions():
            yield (
                'no place is known: that takes an Odometry, a PoseStamped called pose, or a '
                'VehicleLocalPosition or VehicleOdometry of PX4; there are '
                + listed(keys)
                + (NAVSAT_CURE if any(kind == NAVSAT for _, kind in keys) else '')
            )

    def _has_positions(self) -> bool:
        kinds = {role.kind for role in self.roles.values()}
        return not kinds <= {TIME, FIGURES, CMD_VEL, OTHER}
