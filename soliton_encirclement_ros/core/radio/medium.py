"""The medium between the members: falsifies, delays and delivers their states."""

from collections.abc import Mapping, Sequence

from velocity_mobility_ros.core.step_time import to_ns, to_seconds
from velocity_mobility_ros.core.velocity_model import Vector

from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.radio.byzantine import Byzantine
from soliton_encirclement_ros.core.radio.clocks import clock_errors_ns, judged_ns
from soliton_encirclement_ros.core.radio.links import Radio
from soliton_encirclement_ros.core.radio.message_queue import MessageQueue, QueuedMessage
from soliton_encirclement_ros.core.states.states import State, is_sound

SLACK_NS = 1
"""Times of ticks are rounded to whole nanoseconds, each by half of one at most."""


class Medium:
    """A radio, its byzantine agents, and the messages in transit."""

    def __init__(self, parameters: RadioParameters, seed: int, members: Sequence[str]) -> None:
        """Start without messages in transit.

        Args:
            parameters: Parameters of the radio.
            seed: Seed of the run.
            members: Names of all members in their order.

        Raises:
            ScenarioError: A schedule of the radio is refused.
        """
        self._radio = Radio(parameters, seed, members)
        self._byzantine = Byzantine(parameters.byzantine, seed, members)
        self._order = {member: order for order, member in enumerate(members)}
        self._clocks_ns = clock_errors_ns(parameters.clock_offset, seed, members)
        self._sender_ns = [*self._clocks_ns.values()]
        self._inboxes = {member: MessageQueue() for member in members}

    def is_reception_uniform(self, now: float, positions: Sequence[Vector]) -> bool:
        """Return whether all members receive all true states at once and alike at a time [s]."""
        return self._byzantine.is_silent(now) and self._radio.is_reception_uniform(now, positions)

    def carry(
        self, sender: str, state: State, count: int, sent_ns: int, now: float,
        positions: Mapping[str, Vector],
    ) -> None:  # fmt: skip
        """Send a member's state to all members that receive it.

        Args:
            sender: The sender.
            state: Its state.
            count: Which message of the sender it is.
            sent_ns: When it is sent [ns].
            now: The same in seconds since the start of the run, for the schedules.
            positions: Position of every member at that time [m].
        """
        state = self._byzantine.falsify(sender, state, count, now)
        message = QueuedMessage(sent_ns, self._order[sender], count, state, is_sound(state))
        for receiver, delay_ns in self._radio.receivers(sender, count, now, positions):
            self._inboxes[receiver].put(sent_ns + delay_ns, message)

    def arrive(self, now_ns: int) -> dict[str, list[QueuedMessage]]:
        """Return the messages due at every member by a time [ns], with their age; oldest first."""
        aged: dict[tuple[int, int, int], QueuedMessage] = {}
        return {
            receiver: [
                self._judged(message, receiver, now_ns, aged)
                for message in inbox.take(now_ns + SLACK_NS)
            ]
            for receiver, inbox in self._inboxes.items()
        }

    def _judged(
        self,
        message: QueuedMessage,
        receiver: str,
        now_ns: int,
        known: dict[tuple[int, int, int], QueuedMessage],
    ) -> QueuedMessage:
        """Return a message with its age [s] at a time [ns]; receivers with the same share it."""
        ends = self._sender_ns[message.order], self._clocks_ns[receiver]
        travelled_ns = judged_ns(now_ns - message.sent_ns, *ends)
        key = message.order, message.count, travelled_ns
        if key not in known:
            known[key] = message._replace(state=aged(message.state, travelled_ns))
        return known[key]


def aged(state: State, travelled_ns: int) -> State:
    """Return a state as it is received: its age grows by the time on the way [ns]."""
    return state._replace(age=to_seconds(travelled_ns + to_ns(state.age)))
