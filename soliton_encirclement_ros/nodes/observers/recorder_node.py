"""Records topics to a rosbag2 bag (mcap) without deserialising them.

Every topic that appears and whose type has a known definition is recorded with the quality of
service on offer. In lockstep messages are logged at the simulated time of their stamp, so a bag
has one clock; in real time at the time of arrival. In real time they wait in their queues, from
which they are taken together: nothing wakes the node for each. Threading: one thread.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from rclpy.qos import DurabilityPolicy, QoSProfile

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import (
    CLOCK, DIAGNOSTICS, MEASURING, MONITOR, PARAMETER_EVENTS, RECORDER, RECORDING, TELEMETRY
)
from soliton_encirclement_ros.nodes.node_parameters import fleet_of_observer, recorder_line
from soliton_encirclement_ros.nodes.observers.bag_recording import (
    BagRecording, Early, LogClock, PreclockBuffer, bag_folder, create_bag
)
from soliton_encirclement_ros.nodes.observers.fleet_diagnostics import ENDED, OUTPUT, ObserverWatch
from soliton_encirclement_ros.nodes.observers.recorder_parameters import (
    RELIABILITIES, RecorderParameters, TopicSelection
)
from soliton_encirclement_ros.nodes.observers.topic_discovery import TopicDiscovery
from soliton_encirclement_ros.nodes.state_messages import stamp_ns
from soliton_encirclement_ros.nodes.world.flow_control import ProgressPublisher
from velocity_mobility_ros.core.environment.fast_dds import ask_for_all_topics
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode, deserialized
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE, CMD_VEL, ODOM

SEARCH_PERIOD = 0.1
"""Wall time [s] between two checks for new topics."""

TAKE_PERIOD = 0.02
"""Wall time [s] between two looks into the queues, in real time."""

FIRST_BRIDGE = 2.0
"""Wall time [s] in which a bridge leaves that is asked to end at the same time."""

LAST_BRIDGE = 8.0
"""The same for all of them, if one has left."""

STREAMS = (ODOM, CMD_VEL, TELEMETRY)
"""Topics of each member with a message per tick."""

MAX_REPORTS = 3
"""Number of last reports kept in the diagnostics."""


class RecorderNode(PollingNode):
    """Writes raw messages of all wanted topics to one bag."""

    def __init__(
        self,
        report: Callable[[str], None] | None = None,
        name: str = RECORDER,
        topics: Sequence[str] = (),
        **options: object,
    ) -> None:
        """Declare parameters, create the bag and begin to look for topics.

        Args:
            report: Takes every line for the user, and nothing is published; by default these are
                warnings in the log and diagnostics.
            name: Name of the node; a run in lockstep waits for a ``recorder``.
            topics: Regular expressions of the topics to record, one of which must match; by
                default the parameter ``include``.
            **options: Passed on to ``rclpy.node.Node``.

        Raises:
            StartupError: rosbags is missing or the bag cannot be created.
            ParameterError: An expression is refused.
        """
        super().__init__(name, **options)
        self._settings = declare(self, RecorderParameters)
        awaited = self._settings.lockstep and not self._settings.join
        fleet = fleet_of_observer(self, awaited)
        refuse_unknown(self)
        warn_of_idle(self, self._settings)
        include = topics or [self._settings.include]
        self._choice = TopicSelection(include, self._settings.exclude, fleet)
        self._clock_topic = self.resolve_topic_name(fleet.full_name(CLOCK))
        self.folder = bag_folder(self._settings)
        bag = create_bag(self.folder, self._settings)
        self.recording = BagRecording(self.folder, bag, self._report)
        self.tallies = self.recording.tallies
        is_offered = self._settings.stream_reliability == RELIABILITIES[0]
        unrepeated = () if is_offered else STREAMS
        self._hearing = TopicDiscovery(
            self, self, self._settings.lockstep, self._report, unrepeated
        )
        self.clock = LogClock(self._settings.lockstep, self._settings.join)
        self._early = PreclockBuffer()
        self._follower = ProgressPublisher(self, fleet) if awaited else None
        self.reports: list[str] = []
        self._ended = False
        self._monitor = ObserverWatch(
            fleet, MONITOR, MEASURING, 'no metrics and no tables are written'
        )
        self._health = None
        if report is None:
            self._health = NodeDiagnostics(
                self, RECORDING, self.diagnostic_values, self.conditions, self.clock.now_ns
            )
            self.get_logger().info(recorder_line(str(self.folder), self._settings))
        self._report_line = report or self._health.warn
        self.create_timer(SEARCH_PERIOD, self.search)
        if not self._settings.lockstep:
            steady = Clock(clock_type=ClockType.STEADY_TIME)  # simulated time may be paused
            self.create_timer(TAKE_PERIOD, self._take_arrived, clock=steady)
            if not self.node_time.is_simulated:  # messages are logged by the computer's clock
                self.node_time.on_step(self.clock.move)
        self.search()

    def conditions(self) -> list[Condition]:
        """Return all faults of the recording."""
        faults = [] if self.complete else [Condition(Level.ERROR, self.reports[-1])]
        faults += [Condition(Level.WARN, report) for report in self.reports[-MAX_REPORTS:]]
        lost = [topic for topic in self.tallies if self._hearing.lost(topic)]
        if lost:
            reason = f'messages lost on {named(lost)}'
            faults.append(Condition(Level.WARN, reason, 'lost messages'))
        if self.recording.started_at is None:
            faults.append(Condition(Level.STALE, f'nothing recorded yet: {self.waiting_for}'))
        if self.recording.is_open:  # else it hears nobody any more
            faults += self._monitor.conditions()
        return faults

    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        recording = self.recording
        return {
            'messages': recording.messages,
            'size_bytes': recording.bytes,
            'topics': len(recording.tallies),
            OUTPUT: self.folder,
            ENDED: self._ended,
        }

    @property
    def faults(self) -> list[str]:
        """What is missing in the bag, and why."""
        return [] if self.complete else self.reports[-1:]

    @property
    def complete(self) -> bool:
        """Whether everything that was received is in the bag."""
        return self.recording.complete

    @property
    def progress(self) -> int:
        """A number that grows with every message recorded."""
        return self.recording.progress

    @property
    def messages(self) -> int:
        """How many messages the bag holds, also after its end."""
        return self.recording.messages

    @property
    def waiting_for(self) -> str:
        """What must happen before anything is recorded, as text."""
        if not self.clock.known:
            return f'waiting for simulated time on {self._clock_topic}'
        topics = self.tallies.keys() - {PARAMETER_EVENTS}  # which every node publishes
        if topics:
            return f'waiting for the first message on {len(topics)} topics'
        return 'waiting for a topic to record'

    def count_at(self, topic: str, stamp_ns: int) -> int:
        """Return how many messages of a topic carry a stamp [ns], if it is the newest there."""
        tally = self.tallies.get(topic)
        return tally.at_newest if tally and tally.newest_ns == stamp_ns else 0

    def lost(self, topic: str) -> int:
        """Return how many messages of a topic are known to be lost."""
        return self._hearing.lost(topic)

    def search(self) -> None:
        """Check for new topics, existing subscriptions, and the bag."""
        self._hearing.search()
        self.recording.keep()

    def wants(self, topic: str) -> bool:
        """Return whether to subscribe to a topic."""
        joins = topic == self._clock_topic and self._settings.join
        return self.recording.is_open and (topic in self._choice or joins)

    def learn(self, kind: str) -> bool:
        """Add a type to the bag; return whether its definition is known."""
        return self.recording.learn(kind)

    def add_topic(self, topic: str, kind: str, profile: QoSProfile) -> None:
        """Add a topic to the bag, unless it is received only for the clock."""
        if topic in self._choice:
            self.recording.add_topic(topic, kind, profile)

    def take(self, topic: str, kind: str, data: bytes, received_ns: int | None = None) -> None:
        """Process a received message, for the clock and for the bag.

        Args:
            topic: Its topic.
            kind: Its type.
            data: The message.
            received_ns: When it was received [ns]; None: just now.
        """
        if not self.recording.is_open:
            return
        at = stamp_ns(kind, data)
        if topic == self._clock_topic and at is not None:
            self._set_clock(at)
        if topic == DIAGNOSTICS and self._monitor.status.encode() in data:
            with suppress(MalformedMessageError):  # it is recorded all the same
                self._monitor.take(deserialized(data, DiagnosticArray))
        if topic not in self.tallies:
            return
        if self.clock.known:
            self._record_message(topic, at, data, received_ns)
        else:
            self._hold(Early(topic, at, data))

    def _take_arrived(self) -> None:
        self.clock.look(self.node_time.now_ns)
        self._hearing.take_arrived()

    def _report(self, line: str) -> None:
        self.reports.append(line)
        self._report_line(line)

    def _set_clock(self, now_ns: int) -> None:
        if self._follower is not None:
            self._follower.saw(now_ns)
        was_known, back_ns = self.clock.known, self.clock.receive(now_ns)
        if back_ns > 0:
            self._report(f'simulated time went back by {back_ns / 1e9:g} s')
        if was_known or not self.clock.known:
            return
        if self._early.left_out:
            lost = f'{self._early.left_out} messages before the first {self._clock_topic}'
            self._report(f'{lost} left out')
        for early in self._early.take():
            self._record_message(*early)

    def _hold(self, early: Early) -> None:
        profile = self._hearing.profile(early.topic)
        self._early.add(early, profile.durability == DurabilityPolicy.TRANSIENT_LOCAL)

    def _record_message(
        self, topic: str, at_ns: int | None, data: bytes, received_ns: int | None = None
    ) -> None:
        if self.recording.is_open:
            log_ns = self.clock.log_time_ns(at_ns, received_ns)
            self.recording.write(topic, log_ns, at_ns, data)

    def hand_over(self, at_once: Callable[[], bool]) -> None:
        """Take what bridges say as they hand their vehicles over: who ends a launch ends both.

        Args:
            at_once: Returns whether not to wait for them.
        """
        bridges = [topic for topic in self.tallies if topic.rpartition('/')[2] == BRIDGE_STATE]
        count = sum(map(self.count_publishers, bridges))
        start, remaining = time.monotonic(), count
        while remaining and not at_once():
            if time.monotonic() - start > (LAST_BRIDGE if remaining < count else FIRST_BRIDGE):
                return
            self._hearing.take_arrived()
            time.sleep(TAKE_PERIOD)
            remaining = sum(map(self.count_publishers, bridges))

    def close(self) -> None:
        """Take what has arrived, and finish the bag."""
        if self.recording.is_open and not self._settings.lockstep:
            self._take_arrived()
        self.recording.close()
        self._ended = True
        if self._health is not None:
            self._health.publish()


def main(args: list[str] | None = None) -> int:
    """Run the node; the exit code is 1 if the bag is incomplete."""
    ask_for_all_topics()
    return run_nodes(
        lambda: [RecorderNode()], args, conclude=lambda nodes: int(not nodes[0].complete)
    )
