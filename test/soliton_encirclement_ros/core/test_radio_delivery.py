"""The medium: takes words, bends and delays them, hands them out; clocks judge their age."""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.parameters.run_parameters import RadioParameters
from soliton_encirclement_ros.core.radio_delivery import Medium, MessageQueue, QueuedMessage
from soliton_encirclement_ros.core.radio_loss_and_delay import apparent_age_ns, clock_errors_ns
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import uav

MEMBERS = ('uav_1', 'uav_2', 'uav_3')
PLACES = dict.fromkeys(MEMBERS, (0.0, 0.0, 0.0))
TICK_NS = 50_000_000


def speak(medium: Medium, agent_id: int, tick: int) -> None:
    """Let an agent speak at a tick."""
    state = AgentState(agent_id, tick, (float(tick), 0.0, 0.0), (0.0, 0.0, 0.0))
    name, now = f'uav_{agent_id}', tick * 0.05
    medium.carry(name, state, tick, tick * TICK_NS, now, PLACES)


def run(ticks: int, silent: tuple[int, ...] = (), **parameters: object) -> dict[str, list]:
    """Return what everybody hears: tick, sender, sequence number and age."""
    medium = Medium(RadioParameters(**parameters), 5, MEMBERS)
    found: dict[str, list] = {member: [] for member in MEMBERS}
    for tick in range(ticks):
        for name, message in medium.arrive(tick * TICK_NS).items():
            found[name] += [(tick, w.state.agent_id, w.state.seq, w.state.age) for w in message]
        for agent_id in (1, 2, 3):
            if agent_id not in silent:
                speak(medium, agent_id, tick)
    return found


def test_everything_arrives_with_its_exact_age() -> None:
    found = run(20, communication_delay=0.1)
    assert found['uav_1'] == [(tick, k, tick - 2, 0.1) for tick in range(2, 20) for k in (2, 3)]


def test_jitter_lets_words_overtake_each_other() -> None:
    deliveries = run(400, communication_jitter=0.2)
    seqs = [seq for _, sender, seq, _ in deliveries['uav_1'] if sender == 2]
    assert seqs != sorted(seqs)
    assert len(seqs) == len(set(seqs))
    assert {round(age / 0.05) for _, _, _, age in deliveries['uav_1']} == {1, 2, 3, 4}


def test_who_falls_silent_shifts_nobody_elses_chances() -> None:
    rough = {'communication_jitter': 0.1, 'communication_failure_rate': 0.3}
    all_speak, two_speak = run(200, **rough), run(200, silent=(3,), **rough)
    heard = [each for each in all_speak['uav_1'] if each[1] == 2]
    assert [each for each in two_speak['uav_1'] if each[1] == 2] == heard


def test_words_on_their_way_cross_a_partition_that_opens_later() -> None:
    deliveries = run(40, partitions='0.5..1: 1', communication_delay=0.1)
    heard = [seq for _, sender, seq, _ in deliveries['uav_1'] if sender == 2]
    assert heard == [seq for seq in range(38) if not 10 <= seq < 20]


def test_clear_only_while_nobody_lies() -> None:
    medium = Medium(RadioParameters(byzantine='1..2: 1 nan'), 5, MEMBERS)
    places = list(PLACES.values())
    assert [medium.is_reception_uniform(now, places) for now in (0.0, 1.0, 2.0)] == [
        True,
        False,
        True,
    ]


ORIGIN = (0.0, 0.0, 0.0)


def message(order: int, sent_ns: int, sound: bool = True) -> QueuedMessage:
    """Return what a member said."""
    return QueuedMessage(
        sent_ns, order, sent_ns, AgentState(order, sent_ns, ORIGIN, ORIGIN), sound
    )


def places(taken: list[QueuedMessage]) -> list[tuple[int, int]]:
    """Return when and by whom words were said."""
    return [(each.sent_ns, each.order) for each in taken]


def test_taken_once_when_due() -> None:
    inbox = MessageQueue()
    inbox.put(10, message(1, 0))
    assert inbox.take(9) == []
    assert places(inbox.take(10)) == [(0, 1)]
    assert inbox.take(11) == []


def test_in_order_of_the_time_said_then_of_members() -> None:
    inbox, draw = MessageQueue(), random.Random(1)
    entries = [(order, said) for order, said in [(3, 5), (1, 5), (2, 9), (4, 0), (0, 5)]]
    draw.shuffle(entries)
    for order, said in entries:
        inbox.put(draw.randrange(10, 20), message(order, said))
    assert places(inbox.take(20)) == [(0, 4), (5, 0), (5, 1), (5, 3), (9, 2)]


def test_of_one_senders_words_the_newest_are_heard() -> None:
    inbox = MessageQueue()
    inbox.put(7, message(1, 5))
    inbox.put(9, message(1, 3))
    inbox.put(8, message(2, 4))
    assert places(inbox.take(10)) == [(4, 2), (5, 1)]


def test_overtaken_words_arrive_later() -> None:
    inbox = MessageQueue()
    inbox.put(20, message(1, 3))
    inbox.put(10, message(1, 5))
    assert places(inbox.take(10)) == [(5, 1)]
    assert places(inbox.take(20)) == [(3, 1)]


def test_words_that_are_refused_do_not_hide_older_sound_ones() -> None:
    inbox = MessageQueue()
    inbox.put(7, message(1, 3))
    inbox.put(7, message(1, 5, sound=False))
    assert places(inbox.take(10)) == [(3, 1)]


MANY = (*map(uav, range(1, 401)), 'target')
TIME = st.integers(0, 10**12)
ERROR = st.integers(-(10**11), 10**11)
HERE = {name: (0.0, 0.0, 0.0) for name in ('uav_1', 'uav_2', 'target')}


def test_errors_are_normal_and_those_of_a_member_depend_on_its_name_and_the_seed():
    ns = clock_errors_ns(0.2, 3, MANY)
    seconds = np.array([*ns.values()]) / 1e9
    assert seconds.std() == pytest.approx(0.2, abs=0.02)
    assert seconds.mean() == pytest.approx(0.0, abs=0.03)
    assert clock_errors_ns(0.2, 3, ['uav_7']) == {'uav_7': ns['uav_7']}
    assert clock_errors_ns(0.2, 4, ['uav_7']) != {'uav_7': ns['uav_7']}
    assert clock_errors_ns(0.1, 3, ['uav_7'])['uav_7'] == pytest.approx(ns['uav_7'] / 2, abs=1)


def test_without_deviation_all_clocks_agree():
    assert set(clock_errors_ns(0.0, 3, MANY).values()) == {0}


@given(TIME, ERROR, ERROR)
def test_no_message_comes_from_the_future(travelled, sender, receiver):
    judged = apparent_age_ns(travelled, sender, receiver)
    assert judged >= 0
    assert judged in (0, travelled + receiver - sender)
    assert apparent_age_ns(travelled, sender, sender) == travelled


def test_a_receiver_judges_by_its_clock_and_never_below_the_age_of_what_was_sent():
    radio = RadioParameters(clock_offset=0.3)
    medium, ends = Medium(radio, 7, [*HERE]), clock_errors_ns(0.3, 7, [*HERE])
    assert not medium.is_reception_uniform(0.0, [*HERE.values()])
    state = AgentState(1, 1, (1.0, 2.0, 3.0), (0.0, 0.0, 0.0), age=0.02)
    medium.carry('uav_1', state, 1, 0, 0.0, HERE)
    came = medium.arrive(50_000_000)
    ages = {name: came[name][0].state.age for name in ('uav_2', 'target')}
    for name, age in ages.items():
        travelled = 0.05 + (ends[name] - ends['uav_1']) / 1e9
        assert age == pytest.approx(0.02 + max(0.0, travelled), abs=1e-9)
    assert min(ages.values()) == 0.02 < max(ages.values())


def test_receivers_with_the_same_age_share_a_message():
    medium = Medium(RadioParameters(communication_delay=0.01), 5, [*HERE])
    medium.carry('uav_1', AgentState(1, 1, (1.0, 2.0, 3.0), (0.0,) * 3), 1, 0, 0.0, HERE)
    came = medium.arrive(50_000_000)
    assert came['uav_2'][0] is came['target'][0]
