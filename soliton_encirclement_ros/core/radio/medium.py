"""The medium between the members: takes their words, bends and delays them, hands them out."""

from collections.abc import Mapping, Sequence

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.time import to_seconds

from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.radio.byzantine import Byzantine
from soliton_encirclement_ros.core.radio.links import Radio
from soliton_encirclement_ros.core.radio.message_queue import MessageQueue, QueuedMessage
from soliton_encirclement_ros.core.states.state_validation import is_sound
from soliton_encirclement_ros.core.states.states import State

SLACK_NS = 1
"""Times of ticks are rounded to whole nanoseconds, each by half of one at most."""


class Medium:
    """A radio, its liars, and what is on its way to whom."""

    def __init__(self, parameters: RadioParameters, seed: int, members: Sequence[str]) -> None:
        """Start with nothing on its way.

        Args:
            parameters: What the radio does.
            seed: Seed of the run.
            members: Names of all members in their order.

        Raises:
            ScenarioError: A scheduled text of the radio is refused.
        """
        self._radio = Radio(parameters, seed, members)
        self._liars = Byzantine(parameters.byzantine, seed, members)
        self._order = {member: order for order, member in enumerate(members)}
        self._inboxes = {member: MessageQueue() for member in members}

    def is_clear(self, now: float, positions: Sequence[Vector]) -> bool:
        """Say whether everybody hears the truth from everybody at once at a time [s]."""
        return self._liars.is_silent(now) and self._radio.is_clear(now, positions)

    def carry(
        self, sender: str, state: State, count: int, said_ns: int, now: float,
        positions: Mapping[str, Vector],
    ) -> None:  # fmt: skip
        """Send a member's words to everybody who hears them.

        Args:
            sender: Who speaks.
            state: What it says.
            count: Which message of the sender it is.
            said_ns: When it is said [ns].
            now: The same in seconds since the start of the run, for what is scheduled.
            positions: Where every member is then [m].
        """
        told = self._liars.twist(sender, state, count, now)
        words = QueuedMessage(said_ns, self._order[sender], count, told, is_sound(told))
        for listener, delay_ns in self._radio.receivers(sender, count, now, positions):
            self._inboxes[listener].put(said_ns + delay_ns, words)

    def arrive(self, now_ns: int) -> dict[str, list[QueuedMessage]]:
        """Hand out what everybody hears by a time [ns], with its age; oldest first."""
        aged: dict[tuple[int, int], QueuedMessage] = {}
        return {
            listener: [_aged(words, now_ns, aged) for words in inbox.take(now_ns + SLACK_NS)]
            for listener, inbox in self._inboxes.items()
        }


def _aged(
    words: QueuedMessage, now_ns: int, known: dict[tuple[int, int], QueuedMessage]
) -> QueuedMessage:
    """Return words with the age [s] they have at a time [ns]; all listeners share them."""
    key = words.order, words.count
    if key not in known:
        age = to_seconds(now_ns - words.said_ns)
        known[key] = words._replace(state=words.state._replace(age=age))
    return known[key]
