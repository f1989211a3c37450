"""Processes that do jobs: what they are asked for, and how they end."""

import os
import signal

import pytest
from soliton_encirclement_ros.sim.process_pool import (
    PoolMessage,
    Worker,
    end_with_client,
    received,
)
from support.cli import wait_until


def square(number, report):
    report('begun')
    return number * number


@pytest.fixture
def worker():
    one = Worker(square, end_with_client)
    yield one
    one.end()


def result_of(worker):
    """Return the next result, news left out."""
    while True:
        message = worker.receive()
        if message is None or message.is_result:
            return message


def test_a_worker_does_what_it_is_asked_for_in_order(worker):
    for number in (2, 0):
        worker.ask(number)
    assert list(worker.asked) == [2, 0]
    messages = [worker.receive() for _ in range(4)]
    assert messages == [
        PoolMessage(2, 'begun', False), PoolMessage(2, 4, True),
        PoolMessage(0, 'begun', False), PoolMessage(0, 0, True),
    ]  # fmt: skip
    assert not worker.asked


def test_a_dead_worker_is_heard_as_nothing_and_says_how_it_died(worker):
    os.kill(worker.pid, signal.SIGKILL)
    wait_until(lambda: worker.link.poll(0.1), 'the end of the worker')
    worker.ask(0)
    assert received([worker]) == [(worker, None)]
    assert worker.death() == 'signal 9'


def test_ctrl_c_does_not_end_a_worker_that_ends_with_its_client(worker):
    worker.ask(0)
    result_of(worker)
    os.kill(worker.pid, signal.SIGINT)
    worker.ask(0)
    assert result_of(worker) is not None


def test_one_that_is_dismissed_ends_by_itself():
    worker = Worker(square)
    worker.ask(3)
    assert result_of(worker).content == 9
    worker.dismiss()
    assert worker.death() == 'exit code 0'
