"""Data read from a bag, topic by topic: rates, gaps, latency, and messages that are unusable."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from soliton_encirclement_ros.analysis.bag.bag_clock import (
    LARGEST_LATENCY,
    LARGEST_LEAD,
    SECOND,
    BagFlight,
    Clock,
    in_order,
    within,
)
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    NO_STAMP,
    Columns,
    Pieces,
    StampTally,
    Types,
    stamps,
)
from soliton_encirclement_ros.analysis.bag.decoding.node_reports import NodeReports
from soliton_encirclement_ros.analysis.bag.decoding.topic_decoder import TopicDecoder
from soliton_encirclement_ros.analysis.bag.frame_tree import is_own, unfit
from soliton_encirclement_ros.analysis.bag.storage.bag_files import unpack_messages
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    CDR,
    Channel,
    Integers,
    MessageBatch,
    RecorderClock,
    rooted,
)
from soliton_encirclement_ros.analysis.bag.topic_map import CMD_VEL, ODOM, TRUTH, TopicMap
from soliton_encirclement_ros.analysis.bag.topic_roles import (
    FIGURES,
    FRAMES,
    LISTS,
    MAX_NAMED,
    OTHER,
    TIME,
    Key,
    Role,
    listed,
    may_be_shared,
    overlooked,
    roles,
)
from soliton_encirclement_ros.analysis.recording import Topic

MAX_LATENCY = 3600 * SECOND
"""Beyond this [ns], some of the stamps are from another clock."""


class TopicStatistics:
    """Times of all messages of a topic.

    Attributes:
        tally: Counts its invalid stamps.
    """

    def __init__(self, name: str, type_name: str) -> None:
        """Begin with none."""
        self.name, self.type = name, type_name
        self._times = Pieces()
        self._columns: Columns | None = None
        self.count = 0
        self.tally = StampTally()

    def add(self, logged: Integers, stamps: Integers) -> None:
        """Take some messages: when they were logged [ns], and their stamps [ns]."""
        self._times.add(logged, stamps)
        self.count += len(logged)

    def span(self) -> tuple[int, int]:
        """Return when the first and the last were logged [ns]."""
        logged = self._settled()[0]
        return int(logged.min()), int(logged.max())

    def times(self) -> Columns:
        """Return log times [ns] and stamps [ns] of all, in order, without wrong ones."""
        return self._settled()

    def _settled(self) -> Columns:
        """Return all times in order, without single ones that are far off."""
        if self._columns is None:
            logged, stamps = self._times.whole()
            kept = in_order(logged)
            self._columns = logged[kept], stamps[kept]
        return self._columns

    def topic(self, clock: Clock) -> Callable[[int], Topic]:
        """Return the input of the figures, once the start of the recording is known [ns]."""
        logged, stamps = self._settled()
        if self.tally.is_useless:
            stamps = np.full_like(stamps, NO_STAMP)
        received = clock.of_logged(logged)
        latency = _latency(received, stamps)
        times = np.sort(received)
        gaps = np.diff(times)
        longest = int(gaps.argmax()) if len(gaps) else -1
        span = int(times[-1] - times[0])
        rate = len(gaps) / (span / 1e9) if span > 0 else math.nan
        gap = int(gaps[longest]) / 1e9 if longest >= 0 else math.nan
        edges = int(times[0]), int(times[-1]), int(times[longest])

        def figures(start_ns: int) -> Topic:
            first, last, gap_at = ((edge - start_ns) / 1e9 for edge in edges)
            at = gap_at if longest >= 0 else math.nan
            return Topic(
                self.name, self.type, self.count, first, last, rate, gap, at, *latency
            )  # fmt: skip

        return figures


def _latency(received: Integers, stamps: Integers) -> tuple[float, float]:
    """Return median and 95th percentile [s]; NaN if the clocks are not comparable."""
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
    """Collects batches; of several flights and fleets possibly only one."""

    def __init__(
        self,
        names: TopicMap | None,
        clock: RecorderClock,
        flight: BagFlight | None = None,
        wanted: Callable[[str], bool] = lambda topic: True,
        lists: bool = False,
        frames: bool = False,
    ) -> None:
        """Start empty.

        Args:
            names: Map of topics to members; None for the usual names.
            clock: That of the recorder.
            flight: The only one that is used of several; None for all.
            wanted: Returns whether a topic is used.
            lists: Whether topics that tell of several bodies are used, without a map.
            frames: Whether transforms are read, although they tell of no body themselves.
        """
        self.names, self._clock = names, clock
        self._flight = flight
        self._wanted = wanted
        self._lists, self._frames = lists, frames
        self.types = Types()
        self.reports = NodeReports()
        self.traffic: dict[Key, TopicStatistics] = {}
        self.gatherers: dict[Key, TopicDecoder] = {}
        self._packed: Counter[str] = Counter()
        self._foreign: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        if self._flight is not None:
            batch = within(batch, self._flight)
        batch, packed = unpack_messages(batch)
        channel = batch.channel._replace(topic=rooted(batch.channel.topic))
        batch = batch._replace(channel=channel)
        self._packed[channel.topic] += packed
        if not len(batch.starts) or not self._wanted(channel.topic):
            return
        key = (channel.topic, channel.type)
        if key not in self.traffic:
            self._meet(key, channel, int(batch.sizes[0]))
        told = stamps(self.types, batch, self.traffic[key].tally)
        header_stamps = self._clock.with_steps(channel.topic, batch.logged, told, NO_STAMP)
        self.traffic[key].add(batch.logged, header_stamps)
        if key in self.gatherers:
            self.gatherers[key].add(batch, header_stamps)
        else:
            self.reports.add(self.types, batch)

    def _meet(self, key: Key, channel: Channel, size: int) -> None:
        if channel.serialization != CDR:
            self._foreign[channel.serialization].append(channel.topic)
        known = self.types.learn(channel, size)
        self.traffic[key] = TopicStatistics(*key)
        is_link = self._frames and channel.type == FRAMES
        if known and (is_link or roles([key], self.names, self._lists) or may_be_shared(*key)):
            self.gatherers[key] = TopicDecoder(self.types, channel.type, self.traffic[key].tally)

    @cached_property
    def roles(self) -> dict[Key, Role]:
        """Roles of all topics, once the bag is read."""
        return roles(self.traffic, self.names, self._lists)

    @property
    def needs_lists(self) -> bool:
        """Whether only topics that were left out, since they tell of several bodies, can help."""
        has_lists = any(kind in LISTS for _, kind in self.traffic)
        return has_lists and self.names is None and not self._tells_places()

    @property
    def needs_frames(self) -> bool:
        """Whether vehicles tell their places in frames of their own, and there are transforms."""
        frames = {frame for key, role in self.roles.items()
                  if role.kind in (ODOM, TRUTH) and key in self.gatherers
                  for frame in self.gatherers[key].frames if is_own(frame)}  # fmt: skip
        return len(frames) > 1 and any(kind == FRAMES for _, kind in self.traffic)

    def unfit(self, topic: str, entry: str) -> str:
        """Return what is wrong with a body that a map names in a topic that tells of several."""
        lists = [(name, decoder.bodies) for (name, _), decoder in self.gatherers.items()
                 if decoder.bodies]  # fmt: skip
        return unfit(lists, topic, entry)

    def counts(self) -> dict[str, int]:
        """Return how many messages there are, by topic."""
        found: Counter[str] = Counter()
        for (topic, _), traffic in self.traffic.items():
            found[topic] += traffic.count
        return found

    def ticks(self) -> Columns:
        """Return the log times [ns] of simulated time, and its values then [ns]."""
        for key, role in self.roles.items():
            if role.kind == TIME:
                return self.traffic[key].times()
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    def problems(self) -> list[str]:
        """Return messages that could not be decompressed, unknown types, unusual names."""
        return [
            *self._clock.problems(),
            *(f'{topic}: {count} messages cannot be decompressed: left out'
              for topic, count in self._packed.items() if count),
            *(f'{", ".join(topics[:MAX_NAMED])}: written as {form[:20]!r}, but only cdr is read: '
              'convert the bag to ROS 2'
              for form, topics in sorted(self._foreign.items())),
            *self.reports.problems(),
            *self._undefined(),
            *self._assumed(),
            *self._unused(),
        ]  # fmt: skip

    def _undefined(self) -> Iterator[str]:
        """Iterate over a line for every relevant type without a definition."""
        unknown = [key for key, role in self.roles.items()
                   if role.kind != OTHER and key not in self.gatherers]  # fmt: skip
        for kind in sorted({kind for _, kind in unknown}):
            topics = ', '.join(topic for topic, one in unknown if one == kind)
            reason = self.types.problems.get(kind, 'its type is not known')
            yield f'{topics}: cannot be decoded: {kind}: {reason}'

    def _assumed(self) -> Iterator[str]:
        """Iterate over a line for every type whose definition was guessed."""
        for kind, release in sorted(self.types.assumed.items()):
            topics = ', '.join(topic for topic, one in self.gatherers if one == kind)
            if topics:
                yield (f'{topics}: the definition of {kind} is not in the bag: '
                       f'taken for that of PX4 {release}, by its length')  # fmt: skip

    def _unused(self) -> Iterator[str]:
        """Iterate over a line on relevant topics that are not used, and on missing ones."""
        unread = {topic for topics in self._foreign.values() for topic in topics}
        keys = sorted(key for key in self.traffic if key[0] not in unread)
        if self.names is None:
            yield from overlooked(keys, self.roles)
        if keys and not self._tells_places():
            yield (
                'no place is known: that takes an Odometry, a PoseStamped called pose, or a '
                'VehicleLocalPosition or VehicleOdometry of PX4; there are '
                + listed(keys)
                + (NAVSAT_CURE if any(kind == NAVSAT for _, kind in keys) else '')
            )

    def _tells_places(self) -> bool:
        kinds = {role.kind for role in self.roles.values()}
        return not kinds <= {TIME, FIGURES, CMD_VEL, OTHER}
