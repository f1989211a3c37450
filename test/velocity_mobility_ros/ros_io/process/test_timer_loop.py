"""The executor, and the loop that calls timers itself while only timers wake the nodes."""

import statistics
import sys
import time
from itertools import pairwise

import pytest
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_msgs.msg import Header
from std_srvs.srv import Trigger
from support.cli import PATIENCE, wait_until
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.node_process import (
    SERVE_PERIOD,
    TimerLoop,
    make_executor,
    only_timers_wake,
)

pytestmark = pytest.mark.ros

def test_the_events_executor_is_used_where_it_exists(ros):
    executor = make_executor()
    assert type(executor).__name__ == 'EventsExecutor'
    executor.shutdown(0)


def test_without_it_the_plain_one_does(ros, monkeypatch):
    monkeypatch.setitem(sys.modules, 'rclpy.experimental', None)
    executor = make_executor()
    assert isinstance(executor, SingleThreadedExecutor)
    executor.shutdown(0)


PERIOD = 0.02


class Loop:
    """A loop with a node that only timers wake, and an executor of its own."""

    def __init__(self, ros, executor):
        """Begin without a timer."""
        self.ros = ros
        self.node = PollingNode('ticking')
        self.executor = executor
        executor.add_node(self.node)
        self.loop = TimerLoop(executor, [self.node])

    def ticks(self, period=PERIOD):
        """Return the list to which a new timer adds the time of each of its calls."""
        at = []
        self.timer = self.node.create_timer(period, lambda: at.append(time.monotonic()))
        return at

    def until(self, condition, what):
        """Turn, and let the tester spin, until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f'waited in vain for {what}'
            self.loop.turn()
            self.ros.spin(0.0)

    def close(self):
        """Take the node down."""
        self.executor.remove_node(self.node)
        self.executor.shutdown(0)
        self.node.destroy_node()


@pytest.fixture(params=['fastest', 'plain'])
def ticking(ros, request):
    """Return a loop on the fastest executor, or on the plain one."""
    loop = Loop(ros, make_executor() if request.param == 'fastest' else SingleThreadedExecutor())
    yield loop
    loop.close()


def test_it_calls_the_timers_itself(ticking):
    at = ticking.ticks()
    ticking.until(lambda: len(at) >= 10, 'ten ticks')
    assert list(ticking.node.timers) == [], 'no executor sees the timer'
    assert list(ticking.node.all_timers) == [ticking.timer]


@pytest.mark.nightly
def test_it_keeps_the_period_and_sleeps_between_ticks(ticking):
    """In real time: half of a core would do."""
    at = ticking.ticks()
    ticking.until(lambda: len(at) >= 3, 'ticks')
    before, seen = time.thread_time(), len(at)
    ticking.until(lambda: len(at) >= seen + 60, 'sixty ticks')
    assert time.thread_time() - before < 0.5 * 60 * PERIOD
    periods = [after - before for before, after in pairwise(at)]
    assert statistics.median(periods) == pytest.approx(PERIOD, rel=0.1)


def test_a_service_is_answered(ticking):
    at = ticking.ticks()
    ticking.node.create_service(Trigger, 'ask', lambda _, answer: answer)
    client = ticking.ros.tester.create_client(Trigger, '/ask')
    ticking.until(client.service_is_ready, 'the service')
    answer = client.call_async(Trigger.Request())
    ticking.until(answer.done, 'the answer')
    before = len(at)
    ticking.until(lambda: len(at) > before, 'that it ticks on')


@pytest.mark.parametrize('ticking', ['fastest'], indirect=True)
def test_requests_that_wait_are_all_served_at_once(ticking):
    """The plain executor does one at a time."""
    ticking.ticks(10.0)
    served = []
    for k in range(5):
        ticking.node.create_service(
            Trigger, f'ask_{k}', lambda _, answer, k=k: served.append(k) or answer
        )
    clients = [ticking.ros.tester.create_client(Trigger, f'/ask_{k}') for k in range(5)]
    ticking.until(lambda: all(one.service_is_ready() for one in clients), 'the services')
    ticking.until(lambda: list(ticking.node.timers) == [], 'that it calls the timers itself')

    def are_served_in_two_turns() -> bool:
        served.clear()
        answers = [client.call_async(Trigger.Request()) for client in clients]
        ticking.ros.meanwhile(SERVE_PERIOD)  # they arrive; where the machine is slow, next time
        for _ in range(2):
            ticking.loop.turn()
        found = sorted(served)
        ticking.until(lambda: all(one.done() for one in answers), 'the answers')
        return found == [0, 1, 2, 3, 4]

    ticking.until(are_served_in_two_turns, 'that all five are served in two turns')


def test_where_a_message_is_waited_for_the_executor_does_it_all(ticking):
    at, heard = ticking.ticks(), []
    ticking.until(lambda: len(at) >= 3, 'ticks')
    subscription = ticking.node.create_subscription(Header, 'news', heard.append, COMMAND)
    ticking.until(lambda: ticking.timer in [*ticking.node.timers], 'that it hands over')
    voice = ticking.ros.voice(Header, '/news')
    voice.publish(Header(frame_id='now'))
    before = len(at)
    ticking.until(lambda: heard and len(at) > before, 'the message, and more ticks')
    ticking.node.destroy_subscription(subscription)
    ticking.until(lambda: list(ticking.node.timers) == [], 'that it takes over again')
    before = len(at)
    ticking.until(lambda: len(at) > before + 3, 'more ticks')


def test_a_cancelled_timer_is_not_called_until_it_is_reset(ticking):
    at, other = ticking.ticks(), ticking.ticks()
    first, _ = ticking.node.all_timers
    ticking.until(lambda: len(at) >= 3, 'ticks')
    first.cancel()
    seen, others = len(at), len(other)
    ticking.until(lambda: len(other) >= others + 10, 'ticks of the other')
    assert len(at) == seen
    first.reset()
    ticking.until(lambda: len(at) >= seen + 3, 'ticks again')


def test_a_timer_that_another_destroys_is_not_called(ticking):
    calls, node = [], ticking.node
    first = node.create_timer(PERIOD, lambda: calls.append(node.destroy_timer(doomed)))
    doomed = node.create_timer(PERIOD, lambda: calls.append('doomed'))
    wait_until(lambda: first.is_ready() and doomed.is_ready(), 'both to be due')
    ticking.until(lambda: len(calls) >= 3, 'calls of the first')
    assert 'doomed' not in calls


def test_what_a_callback_raises_ends_the_loop(ticking):
    ticking.node.create_timer(PERIOD, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ticking.until(lambda: False, 'the exception')


def test_only_nodes_that_can_hide_their_timers_are_looped(ros):
    assert not only_timers_wake([])
    assert not only_timers_wake([ros.tester])
    polling, plain = ros.add(PollingNode('polling')), ros.add(Node('plain'))
    assert only_timers_wake([polling])
    assert not only_timers_wake([polling, plain])


def test_it_does_not_wake_up_for_requests_alone(ticking):
    """Its timers wake it as often as requests are to be served."""
    at = ticking.ticks(0.04)
    ticking.until(lambda: len(at) >= 3, 'ticks')
    seen, turns = len(at), 0
    while len(at) < seen + 25:
        ticking.loop.turn()
        turns += 1
    assert turns <= 27


def test_while_messages_come_without_a_pause_its_turns_end(ticking):
    """Every message brings the next one, many at once: the executor always has something to do."""
    heard, node = [], ticking.node
    voice = node.create_publisher(Header, 'news', 100)

    def pass_on(message):
        heard.append(message)
        voice.publish(message)

    node.create_subscription(Header, 'news', pass_on, 100)
    ticking.until(lambda: voice.get_subscription_count() > 0 and any(node.timers), 'the reader')
    for _ in range(50):
        voice.publish(Header())
    ticking.until(lambda: heard, 'the first')
    before = len(heard)
    for _ in range(4):
        ticking.loop.turn()
    assert len(heard) > before + 4


def test_calls_of_the_executor_do_not_end_its_turn(ticking):
    at = ticking.ticks(0.002)
    ticking.node.create_subscription(Header, 'news', at.append, COMMAND)
    ticking.until(lambda: ticking.timer in [*ticking.node.timers], 'that the executor works')

    def has_turn_with_several_calls() -> bool:
        before = len(at)
        ticking.loop.turn()
        return len(at) >= before + 3

    ticking.until(has_turn_with_several_calls, 'a turn with several calls')
