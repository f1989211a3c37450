"""Who is still there: the loss as the numbers tell it, and the patience that follows from it."""

import math
import random

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.controllers.soliton import SOLITON
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.states.received_states import (
    CHANCE, FEWEST_PERIODS, is_fresh, share_lost, timeout_without_loss
)
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.members.own_agent import UNFILTERED
from soliton_encirclement_ros.members.own_rows import OwnRows
from soliton_encirclement_ros.members.own_rules import OwnVehicle
from soliton_encirclement_ros.swarm.memory import SEQ, layer_of
from soliton_encirclement_ros.swarm.memory_rows import Link
from soliton_encirclement_ros.swarm.reception import NOT_TRACKED, follow, tolerated_silence
from support.ring_scene import ORIGIN, apart

PERIOD = 0.05
TIMEOUT = 0.25
LONGEST = 1.0


class Listener:
    """What one agent knows of others, fed tick by tick."""

    def __init__(
        self, timeout: float = TIMEOUT, kept_for: float = TIMEOUT, longest: float = LONGEST
    ) -> None:
        """Know nobody."""
        swarm = SwarmParameters(control_period=PERIOD, agent_state_timeout=kept_for)
        law = SOLITON._replace(
            neighbour_timeout=lambda setup: timeout, neighbour_hold=lambda setup: longest
        )
        own = OwnVehicle(Setup(swarm=swarm), UNFILTERED, law)
        self.rows, self.now, self.ticks = OwnRows(1, own, code=apart()), 0.0, 0

    def hear(self, sender: int, seq: int) -> None:
        """Receive a state."""
        self.rows.receive(self.now, [AgentState(sender, seq, ORIGIN, ORIGIN)])

    def follow(self) -> list[int]:
        """Return who counts as present after what was heard."""
        rows = self.rows
        follow(rows.rules, rows.flight, rows.i, self.now)
        return [k for k, link in self.links().items() if link.tracked != NOT_TRACKED]

    def receive(self, *senders: int) -> list[int]:
        """Let a tick pass in which some senders are heard; all of them number their ticks."""
        self.ticks += 1
        self.now = self.ticks * PERIOD
        for sender in senders:
            self.hear(sender, self.ticks)
        return self.follow()

    def links(self) -> dict[int, Link]:
        """Return what was received of all, by number."""
        rows = self.rows
        return dict(zip(rows.numbers, rows.flight.links.rows[rows.i], strict=True))

    def fresh(self) -> list[int]:
        """Return who was heard within the timeout of states."""
        timeout = self.rows.rules.swarm.agent_timeout
        return [k for k, one in self.links().items() if is_fresh(one.received, self.now, timeout)]

    @property
    def loss(self) -> float:
        """The measured share of lost messages."""
        agent = self.rows.flight.agents[self.rows.i]
        return share_lost(agent.lost, agent.got)

    @property
    def patience(self) -> float:
        """The silence [s] that is tolerated."""
        return tolerated_silence(self.rows.rules, self.rows.flight, self.rows.i)


def after_loss(
    rate: float, ticks: int = 2000, senders: int = 5, new: Listener | None = None
) -> Listener:
    """Return a listener on a radio that loses a share of all messages, with a fixed seed."""
    listener, draw = new or Listener(), random.Random(5)
    for _ in range(ticks):
        listener.receive(*(k for k in range(2, 2 + senders) if draw.random() >= rate))
    return listener


@given(st.lists(st.sets(st.integers(2, 5)), max_size=60))
def test_loss_and_patience_are_in_bounds(heard: list[set[int]]) -> None:
    """Whatever is heard when: a share, and between the timeout and the longest silence."""
    listener = Listener()
    for senders in heard:
        present = listener.receive(*senders)
        assert senders <= set(present)
        assert 0.0 <= listener.loss <= 1.0
        assert TIMEOUT <= listener.patience <= LONGEST


@pytest.mark.parametrize('rate', [0.1, 0.3, 0.5])
def test_the_loss_is_measured(rate: float) -> None:
    """Within a few percent of what the radio does."""
    assert after_loss(rate).loss == pytest.approx(rate, abs=0.08)


def test_what_comes_together_is_not_lost() -> None:
    """In real time a node takes no message of a sender at one tick and two at the next."""
    listener = Listener()
    for tick in range(1, 400):
        listener.now = tick * PERIOD
        for seq in () if tick % 7 == 0 else (tick - 1, tick) if tick % 7 == 1 else (tick,):
            listener.hear(2, seq)
        listener.follow()
    assert listener.loss == 0.0


def test_what_is_missing_among_what_comes_together_is_lost() -> None:
    """Of six numbers four have come, two of them at one tick."""
    listener = Listener()
    for listener.now, seqs in ((PERIOD, (1,)), (2 * PERIOD, (3, 4)), (3 * PERIOD, (6,))):
        for seq in seqs:
            listener.hear(2, seq)
        listener.follow()
    assert listener.loss == pytest.approx(2 / 6, rel=0.02)


SHORT = timeout_without_loss(0.1, PERIOD, TIMEOUT)


def test_a_shorter_timeout_is_as_sharp() -> None:
    """Two periods of silence are tolerated, not three; the state is kept longer."""
    listener = Listener(SHORT)
    for _ in range(20):
        listener.receive(2, 3)
    present = [2 in listener.receive(3) for _ in range(5)]
    assert present == [True] * 2 + [False] * 3
    assert listener.receive(2, 3) == [2, 3]
    assert listener.loss == 0.0


def test_the_state_of_one_that_is_gone_counts_once() -> None:
    """However long it is kept."""
    losses = []
    for kept_for in (TIMEOUT, 4.0 * TIMEOUT):
        listener = after_loss(0.02, 200, new=Listener(SHORT, kept_for))
        for _ in range(20):
            listener.receive(3)
        losses.append(listener.loss)
    assert losses[0] == losses[1] > 0.0


@given(st.floats(1e-3, 10.0), st.floats(1e-3, 1.0), st.floats(1e-3, 10.0))
def test_a_timeout_has_some_periods_but_no_more_than_states_are_used(
    wanted: float, period: float, most: float
) -> None:
    """The wanted one where it fits in."""
    timeout = timeout_without_loss(wanted, period, most)
    assert timeout <= most
    assert timeout == most or timeout >= FEWEST_PERIODS * period
    assert timeout in (wanted, most, FEWEST_PERIODS * period)


@pytest.mark.parametrize('rate', [0.3, 0.5])
def test_patience_makes_silence_by_chance_rare(rate: float) -> None:
    """It waits as long as chance needs for one in a million, within its bounds."""
    listener = after_loss(rate)
    expected = PERIOD * math.log(CHANCE) / math.log(listener.loss)
    assert listener.patience == pytest.approx(min(LONGEST, max(TIMEOUT, expected)))
    assert listener.patience > TIMEOUT


def test_nobody_flaps_once_the_loss_is_known() -> None:
    """At 30 % loss everybody stays for a hundred seconds; the plain timeout loses some."""
    listener, draw, gone, pruned = after_loss(0.3), random.Random(6), 0, 0
    for _ in range(2000):
        heard = [k for k in range(2, 7) if draw.random() >= 0.3]
        gone += 5 - len(listener.receive(*heard))
        pruned += 5 - len(listener.fresh())
    assert gone == 0 < pruned


def test_the_longest_silence_is_never_forgiven() -> None:
    """However lossy the radio, after it a sender is gone."""
    listener = after_loss(0.7, 200)
    listener.receive(2)
    ticks = round(LONGEST / PERIOD)
    present = [2 in listener.receive(3) for _ in range(ticks + 2)]
    assert all(present[: ticks - 1]) and not any(present[ticks:])


def test_a_hold_below_the_timeout_is_the_timeout() -> None:
    """The hold time adds patience, it takes none."""
    listener = Listener(longest=0.0)
    assert listener.patience == TIMEOUT
    for seq, listener.now in ((1, 0.0), (9, 0.1)):
        listener.hear(2, seq)
        listener.follow()
    assert listener.loss > 0.5
    assert listener.patience == TIMEOUT


def test_the_last_words_of_one_that_is_still_present_are_kept() -> None:
    """Beyond the timeout of states, with their time."""
    listener = after_loss(0.5, 400)
    listener.receive(2)
    said = listener.ticks
    for _ in range(10):
        listener.receive(3)
    assert 2 not in listener.fresh() and 2 in listener.follow()
    rows, link = listener.rows, listener.links()[2]
    words = rows.flight.sent[layer_of(rows.flight, link.number)][rows.numbers.index(2)]
    assert (words[SEQ], link.received) == (said, pytest.approx(said * PERIOD))


def test_an_old_loss_is_forgotten() -> None:
    """After a thousand messages on a good radio the timeout is the old one again."""
    listener = after_loss(0.3)
    for _ in range(2000):
        listener.receive(2, 3, 4, 5, 6)
    assert listener.loss < 1e-6
    assert listener.patience == TIMEOUT


def test_a_sender_that_starts_anew_is_no_loss() -> None:
    """Numbers that begin again from 1 after an outage were not lost."""
    listener = Listener()
    for _ in range(50):
        listener.receive(2, 3)
    for _ in range(10):
        listener.receive(3)
    listener.hear(2, 1)
    listener.follow()
    assert listener.loss == 0.0


def test_a_held_sender_that_starts_anew_is_no_gain() -> None:
    """On a lossy radio it is present beyond the timeout; a smaller number is then no loss."""
    listener = after_loss(0.5, 400)
    listener.receive(2)
    for _ in range(8):
        listener.receive(3)
    before = listener.loss
    assert 2 not in listener.fresh()
    listener.hear(2, 1)
    listener.follow()
    assert listener.loss == pytest.approx(before, abs=0.01)
