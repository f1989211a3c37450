"""The emulated vehicle: messages in, messages out, by its own clock."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from support.px4_emulator.firmware import Firmware
from support.px4_emulator.inbox import Inbox
from support.px4_emulator.messages import Messages
from support.px4_emulator.settings import LinkSettings, Settings
from support.px4_emulator.strict import Violation
from support.px4_emulator.wire.link import Link
from support.px4_emulator.wire.publisher import Publisher
from support.px4_emulator.wire.releases import namespace

TICK_US = 10_000
RECONNECTION = 6.4
"""Time from the agent's restart to the first message [s]."""

BOOT_SILENCE = 3.0
"""Time from a reboot to the first message [s]."""


class Sent(NamedTuple):
    """A message out of PX4: its topic without namespace and suffix, and when it arrives [s]."""

    topic: str
    message: SimpleNamespace
    time: float


class Px4Emulator:
    """A vehicle with PX4 and its link.

    Time is that of the caller: it begins at ``now`` [s, monotonic] and advances in ``step``.
    Messages have the attributes of those of px4_msgs; those out have the fields of all releases.
    """

    def __init__(self, settings: Settings | None = None, now: float = 0.0) -> None:
        self.settings = settings or Settings()
        self._us = self._target = round(1e6 * now)
        self.firmware = Firmware(self.settings, self._us)
        self.inbox = Inbox(self.firmware)
        self._in = Link(self.settings.link_in, f'{self.settings.seed}/in')
        self._out = Link(self.settings.link_out, f'{self.settings.seed}/out')
        self._publisher = Publisher(self.firmware.release, self._us)
        self._events: list[tuple[int, Callable[[], None]]] = []
        self._absent_until_us = self._us
        self._messages = Messages(self.firmware)

    @property
    def now(self) -> float:
        """Time [s]."""
        return 1e-6 * self._us

    @property
    def violations(self) -> list[Violation]:
        """What strict mode found; a good bridge leaves it empty."""
        return self.firmware.strict.violations

    def operator_word(self) -> None:
        """Tell strict mode that the operator asks the bridge to fly."""
        self.firmware.strict.operator_word()

    def topic_name(self, topic: str, direction: str = 'out') -> str:
        """Return the ROS name of a topic with namespace and suffix."""
        part = self.firmware.release.name(topic) if direction == 'out' else topic
        return f'{namespace(self.settings.instance)}/fmu/{direction}/{part}'

    @property
    def out_topics(self) -> list[str]:
        """The topics that the release has."""
        return list(self.firmware.release.rates)

    @property
    def is_in_graph(self) -> bool:
        """Whether its topics stand in the ROS graph: not while the agent is away."""
        return self._us >= self._absent_until_us

    def receive(self, topic: str, message: Any, sent: float | None = None) -> None:
        """Send a message to PX4. It arrives with the next tick after the link's delay.

        Args:
            topic: Its topic, without namespace.
            message: The message.
            sent: When it was said [s]; None: now.
        """
        if self._in.is_up:
            self.inbox.judge(topic, message, self.now if sent is None else sent)
        self._in.send(self._us, (topic, message))

    def happens(self, event: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """Let an event of ``events`` happen now."""
        event(self.firmware, *args, **kwargs)

    def set_link(self, direction: str, settings: LinkSettings) -> None:
        """Change a direction of the link, ``in`` or ``out``."""
        {'in': self._in, 'out': self._out}[direction].settings = settings

    def agent_down(self, seconds: float) -> None:
        """Kill the agent and start it again after some time."""
        self._cut(seconds + RECONNECTION)
        self._absent_until_us = self._us + round(1e6 * (seconds + RECONNECTION))

    def reboot(self) -> None:
        """Restart PX4."""
        self.firmware.reboot()
        self._cut(BOOT_SILENCE)

    def step(self, dt: float) -> list[Sent]:
        """Advance by a time [s] and return what arrived at the ROS side meanwhile."""
        self._target += round(1e6 * dt)
        found = []
        while self._us + TICK_US <= self._target:
            self._us += TICK_US
            self._tick()
            now = self.now
            found += [Sent(topic, message, now) for topic, message in self._out.due(self._us)]
        return found

    def _tick(self) -> None:
        while self._events and self._events[0][0] <= self._us:
            self._events.pop(0)[1]()
        self.firmware.now = self._us
        for topic, message in self._in.due(self._us):
            self.inbox.take(topic, message)
        self.firmware.tick(self._us)
        self._answer()
        for topic in self._publisher.due(self._us, self._messages.keys):
            self._out.send(self._us, (topic, self._messages.make[topic]()))

    def _answer(self) -> None:
        for _, ack in self.firmware.answers.due(self._us):
            ack.timestamp = self.firmware.stamp()
            self._send('vehicle_command_ack', ack)
            self.firmware.strict.answered()

    def _send(self, topic: str, message: SimpleNamespace) -> None:
        if topic in self.firmware.release.rates:
            self._out.send(self._us, (topic, message))

    def _cut(self, seconds: float) -> None:
        self._in.cut()
        self._out.cut()
        self._schedule(self._us + round(1e6 * seconds), self._reconnect)

    def _reconnect(self) -> None:
        self._in.is_up = self._out.is_up = True

    def _schedule(self, at: int, event: Callable[[], None]) -> None:
        self._events.append((at, event))
        self._events.sort(key=lambda one: one[0])
