"""Records topics to a rosbag2 bag (mcap) without deserialising them.

Every topic that appears and whose type has a known definition is recorded with the quality of
service on offer. In lockstep messages are logged at the simulated time of their stamp, so a bag
has one clock; in real time at the time of arrival. Threading: one thread.
"""

import importlib
import re
import struct
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rclpy._rclpy_pybind11 import RCLError
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from velocity_mobility_ros.core.errors import ParameterError, StartupError
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.entry import run_nodes
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.parameters import declare, refuse_unknown

from soliton_encirclement_ros.core.run_folder import BAG
from soliton_encirclement_ros.core.topics import CLOCK

SEARCH_PERIOD = 0.1
LARGEST_SKEW_NS = 600_000_000_000
"""Distance [ns] from the simulated clock beyond which a stamp is not believed."""

STAMPED_FIRST = {
    'diagnostic_msgs/msg/DiagnosticArray',
    'geometry_msgs/msg/TwistStamped',
    'nav_msgs/msg/Odometry',
    'rosgraph_msgs/msg/Clock',
    'sensor_msgs/msg/JointState',
}
"""Types whose serialized form begins with a stamp."""


@dataclass(frozen=True)
class RecorderParameters(Parameters):
    """What is recorded and where."""

    run_folder: str = parameter('', 'folder in which the bag is made')
    lockstep: bool = parameter(False, 'log at simulated time')
    include: str = parameter('.*', 'regular expression of the topics to record')
    exclude: str = parameter(
        '/rosout|/parameter_events|.*/heard', 'regular expression of the topics to leave out'
    )


class RecorderNode(Node):
    """Writes raw messages of all wanted topics to one bag."""

    def __init__(self, **options: object) -> None:
        """Declare parameters, create the bag and begin to look for topics.

        Args:
            **options: Passed on to ``rclpy.node.Node``.

        Raises:
            StartupError: rosbags is missing or the bag cannot be created.
        """
        super().__init__('recorder', **options)
        self._settings = declare(self, RecorderParameters)
        refuse_unknown(self)
        self._include = _pattern('include', self._settings.include)
        self._exclude = _pattern('exclude', self._settings.exclude)
        self._bag = _create_bag(Path(self._settings.run_folder) / BAG)
        self._seen: set[tuple[str, str]] = set()
        self._recorded: dict[str, str] = {}
        self._connections: dict[str, Any] = {}
        self._newest: dict[str, tuple[int, int]] = {}
        self._clock_ns = 0
        self.complete = True
        self.health = Health(self, self.facts, self._now_ns)
        self.create_timer(SEARCH_PERIOD, self.search)
        self.search()

    def facts(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        return {'messages': self._bag.messages if self._bag else 'closed'}

    @property
    def progress(self) -> int:
        """A number that grows with every message recorded."""
        return self._bag.messages if self._bag else 0

    def count_at(self, topic: str, stamp_ns: int) -> int:
        """Return how many messages of a topic carry a stamp [ns], if it is the newest there."""
        newest_ns, count = self._newest.get(topic, (0, 0))
        return count if newest_ns == stamp_ns else 0

    def search(self) -> None:
        """Subscribe to every wanted topic that has appeared."""
        for topic, types in self.get_topic_names_and_types():
            for kind in types:
                if (topic, kind) not in self._seen and self._wants(topic):
                    self._subscribe(topic, kind)

    def _wants(self, topic: str) -> bool:
        return bool(self._include.fullmatch(topic)) and not self._exclude.fullmatch(topic)

    def _subscribe(self, topic: str, kind: str) -> None:
        publishers = self.get_publishers_info_by_topic(topic)
        if not publishers or self._bag is None:
            return
        self._seen.add((topic, kind))
        message_class = _message_class(kind)
        if message_class is None or not self._bag.knows(kind):
            self.health.warn(f'{topic}: {kind} has no known definition; not recorded')
            return
        if topic in self._recorded:
            self.health.warn(f'{topic}: {kind} beside {self._recorded[topic]}; not recorded')
            return
        profile = _offered([info.qos_profile for info in publishers])
        self._record(topic, kind, message_class, profile)

    def _record(self, topic: str, kind: str, message_class: type, profile: QoSProfile) -> None:
        stamped = kind in STAMPED_FIRST
        try:
            take = partial(self._write, topic, topic == CLOCK, stamped)
            self.create_subscription(message_class, topic, take, profile, raw=True)
        except RCLError:
            self.health.warn(f'{topic}: this process uses another type than {kind}; not recorded')
            return
        self._recorded[topic] = kind
        self._connections[topic] = self._bag.add_topic(
            topic,
            kind,
            reliable=profile.reliability == ReliabilityPolicy.RELIABLE,
            latched=profile.durability == DurabilityPolicy.TRANSIENT_LOCAL,
            depth=profile.depth,
        )

    def _write(self, topic: str, is_clock: bool, stamped: bool, data: bytes) -> None:
        if self._bag is None:
            return
        stamp_ns = _stamp_ns(data) if stamped else self._clock_ns
        if is_clock and 0 <= stamp_ns - self._clock_ns <= LARGEST_SKEW_NS:
            self._clock_ns = stamp_ns
        newest_ns, count = self._newest.get(topic, (0, 0))
        if stamped and stamp_ns >= newest_ns:
            self._newest[topic] = (stamp_ns, count + 1 if stamp_ns == newest_ns else 1)
        try:
            self._bag.write(self._connections[topic], self._log_time_ns(stamp_ns), data)
        except OSError as error:
            self._stop(error)

    def _log_time_ns(self, stamp_ns: int) -> int:
        """Return the time to log at; in lockstep the stamp, if it can be believed."""
        if not self._settings.lockstep:
            return time.time_ns()
        believable = stamp_ns >= 0 and abs(stamp_ns - self._clock_ns) <= LARGEST_SKEW_NS
        return stamp_ns if believable else self._clock_ns

    def _now_ns(self) -> int:
        return self._clock_ns if self._settings.lockstep else time.time_ns()

    def _stop(self, error: OSError) -> None:
        """Give up recording, keep what there is, let the run go on."""
        self.get_logger().error(
            f'{self._settings.run_folder}/{BAG}: {error.strerror}; recording stopped, '
            'everything before is kept'
        )
        self.complete = False
        self.close()

    def close(self) -> None:
        """Finish the bag."""
        bag, self._bag = self._bag, None
        if bag is None:
            return
        try:
            bag.close()
        except OSError as error:
            self.complete = False
            self.get_logger().error(f'the bag has no index: {error.strerror}')


def _pattern(name: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ParameterError(f'{name} = {text!r} is no regular expression: {error}') from None


def _create_bag(folder: Path) -> Any:
    try:
        from soliton_encirclement_ros.core.bag_writer import BagWriter
    except ImportError:
        raise StartupError('recording needs rosbags: pip install rosbags') from None
    try:
        return BagWriter(folder)
    except Exception as error:
        reason = getattr(error, 'strerror', None) or str(error)
        raise StartupError(f'{folder}: cannot create the bag: {reason}') from None


def _message_class(kind: str) -> type | None:
    package, _, name = kind.partition('/msg/')
    try:
        return getattr(importlib.import_module(f'{package}.msg'), name, None)
    except ImportError:
        return None


def _offered(profiles: list[QoSProfile]) -> QoSProfile:
    """Return the strictest quality of service that all publishers offer."""
    reliable = all(p.reliability == ReliabilityPolicy.RELIABLE for p in profiles)
    latched = all(p.durability == DurabilityPolicy.TRANSIENT_LOCAL for p in profiles)
    return QoSProfile(
        depth=1000,
        history=HistoryPolicy.KEEP_ALL if reliable else HistoryPolicy.KEEP_LAST,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


def _stamp_ns(data: bytes) -> int:
    """Return the stamp at the start of a serialized message (CDR, either byte order)."""
    order = '<' if data[1] & 1 else '>'
    sec, nanosec = struct.unpack_from(f'{order}iI', data, 4)
    return sec * 1_000_000_000 + nanosec


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [RecorderNode()], args)
