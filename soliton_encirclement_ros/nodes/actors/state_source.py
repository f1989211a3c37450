"""States of others, taken from their topics at a tick in real time.

How late the others send, and by how much their clocks differ from the one here, is shown in the
diagnostics.
"""

import math
from collections.abc import Iterable, Sequence

from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import AgentState, State, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from soliton_encirclement_ros.nodes.state_messages import MOST_NAMED, StateReader, leading_stamp_ns
from velocity_mobility_ros.core.step_time import DecayingPeak, to_ns, to_seconds
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode

LONGEST = 2.0
"""A silence that is longer [s] is a failure, no late message."""


class LateSenders:
    """The gaps between the messages of agents, without gaps in which a message was lost."""

    def __init__(self) -> None:
        """Begin without a sender."""
        self._peak = DecayingPeak()
        self._last: dict[int, tuple[int, float]] = {}
        self._now = 0.0

    @property
    def longest_gap(self) -> float:
        """The longest of the last gaps [s]; it is forgotten within seconds."""
        return self._peak.value

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Take the states that have arrived until now [s]."""
        self._peak.pass_time(now - self._now)
        self._now = now
        for state in states:
            if isinstance(state, AgentState):
                self._take(now, state.agent_id, state.seq)

    def move(self, step: float) -> None:
        """Keep all gaps after a step of the clock [s]."""
        self._now += step
        self._last = {sender: (seq, at + step) for sender, (seq, at) in self._last.items()}

    def _take(self, now: float, sender: int, seq: int) -> None:
        if sender not in self._last and len(self._last) >= MAX_MEMBERS:
            self._last.clear()
        known, at = self._last.get(sender, (seq, now))
        if seq == known + 1 and now - at <= LONGEST:
            self._peak.see(now - at)
        if seq != known or sender not in self._last:
            self._last[sender] = seq, now


WINDOW = 1.0
"""A part [s] of the time for which a clock must differ."""

WINDOWS = 3
"""So many parts, one after the other: a message that came late, or a step, is none."""

SILENT_WINDOWS = 60
"""So many parts after the last message of a sender its clock does not matter any more."""


class SenderClocks:
    """By how much the clocks of others differ, from the stamps of their messages.

    A message cannot come before it is sent, and some of many are hardly late: if all stamps of
    some seconds are ahead of the clock here, that of the sender is; if all are older than a
    message may be, it is behind, or the network takes as long. What was found of a sender holds
    until it has been heard again for as long.
    """

    def __init__(self) -> None:
        """Begin without a sender."""
        self._least: dict[str, list[float]] = {}
        self._window = self._windows = 0
        self._faults: dict[str, tuple[int, Condition]] = {}

    def see(self, now: float, state: State, elapsed: float) -> None:
        """Take a message that arrived now [s], one of its states, and its age by the stamp [s]."""
        window = int(now / WINDOW)
        if window != self._window:
            self._window, self._windows = window, self._windows + 1
            self._least = {
                name: [math.inf, *ages[:WINDOWS]]
                for name, ages in self._least.items()
                if min(ages[:WINDOWS]) < math.inf
            }
        name = sender_of(state)
        if name not in self._least and len(self._least) >= MAX_MEMBERS:
            return
        ages = self._least.setdefault(name, [math.inf])
        ages[0] = min(ages[0], elapsed)

    def forget(self) -> None:
        """Begin anew, after a step of the clock here."""
        self._least.clear()

    def conditions(self, limit: float, latest: float) -> list[Condition]:
        """Return the clocks that differ.

        Args:
            limit: By how much clocks may differ: ``safety.clock_error`` [s].
            latest: How old a message may be when it is taken, besides [s].
        """
        for name, (_, *least) in self._least.items():
            ages = [age for age in least if age < math.inf]
            if len(ages) < WINDOWS:
                continue
            if max(ages) < -limit:
                differs = f'clock of {name} is {_time_text(-max(ages))} s ahead of the one here'
            elif min(ages) > limit + latest:
                differs = (
                    f'clock of {name} is {_time_text(min(ages))} s behind the one here, or its '
                    'messages are as late'
                )
            else:
                self._faults.pop(name, None)
                continue
            reason = f'{differs}; clock_error = {limit:g} s: synchronise the computers (chrony)'
            fault = Condition(Level.WARN, reason, f'clock of {name}')
            if name in self._faults or len(self._faults) < MOST_NAMED:
                self._faults[name] = self._windows, fault
        oldest = self._windows - SILENT_WINDOWS
        self._faults = {name: entry for name, entry in self._faults.items() if entry[0] >= oldest}
        return [fault for _, fault in self._faults.values()]


def _time_text(seconds: float) -> str:
    return f'{seconds:.0f}' if seconds >= 100.0 else f'{seconds:.3g}'


class StateSource:
    """Subscriptions to states."""

    def __init__(
        self, node: PollingNode, health: NodeDiagnostics, topics: Iterable[str], tolerance: float
    ) -> None:
        """Subscribe.

        Args:
            node: The node to subscribe with.
            health: Counts what is refused.
            topics: Topics of the states.
            tolerance: Largest distance of a stamp from the present [s].
        """
        self._tolerance_ns = to_ns(tolerance)
        self._senders, self._clocks = LateSenders(), SenderClocks()
        self._now = 0.0
        self._topics = [
            (StateReader(topic, health, self._see), node.poll(JointState, topic, POLLED_INPUT))
            for topic in topics
        ]
        node.node_time.on_step(self._on_step)

    def _on_step(self, step_ns: int) -> None:
        """Leave out what waits, whose stamps are of before a step of the clock [ns]."""
        for _, take in self._topics:
            take()
        self._senders.move(to_seconds(step_ns))
        self._clocks.forget()

    def clock_conditions(self, limit: float, latest: float) -> list[Condition]:
        """Return whose clocks differ: see ``SenderClocks.conditions``."""
        return self._clocks.conditions(limit, latest)

    @property
    def longest_gap(self) -> float:
        """Longest time [s] between two messages of a sender in the last seconds."""
        return self._senders.longest_gap

    def take(self, now_ns: int) -> tuple[State, ...]:
        """Return the states that have arrived until now [ns], with their age."""
        states: list[State] = []
        self._now = to_seconds(now_ns)
        for reader, take in self._topics:
            for data in take():
                arrived = reader.take(data, now_ns, self._tolerance_ns)
                self._see(arrived, now_ns - (leading_stamp_ns(data) or now_ns))
                states += arrived
        self._senders.receive(self._now, states)
        return tuple(states)

    def _see(self, states: Sequence[State], elapsed_ns: int) -> None:
        """Compare the clock of a sender, by the age of its message [ns], refused or not."""
        if states:
            self._clocks.see(self._now, states[0], to_seconds(elapsed_ns))
