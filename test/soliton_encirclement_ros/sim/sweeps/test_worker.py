"""One worker process: what it is asked for, and how it ends."""

import os
import signal

from soliton_encirclement_ros.sim.sweeps.worker import Worker
from support.cli import wait_until
from support.planned import a_plan


def test_a_worker_flies_what_it_is_asked_for_in_order():
    worker = Worker(a_plan(3))
    try:
        for number in (2, 0):
            worker.ask(number)
        assert list(worker.asked) == [2, 0]
        heard = [worker.hear() for _ in range(2)]
        assert [(number, record.key) for number, record in heard] == [(2, 'code-2'), (0, 'code-0')]
        assert not worker.asked
    finally:
        worker.end()


def test_a_dead_worker_is_heard_as_nothing_and_says_how_it_died():
    worker = Worker(a_plan(1))
    os.kill(worker.pid, signal.SIGKILL)
    wait_until(lambda: worker.link.poll(0.1), 'the end of the worker')
    worker.ask(0)
    assert worker.hear() is None
    assert worker.death() == 'signal 9'
    worker.end()


def test_ctrl_c_does_not_end_a_worker():
    worker = Worker(a_plan(1))
    try:
        worker.ask(0)
        worker.hear()
        os.kill(worker.pid, signal.SIGINT)
        worker.ask(0)
        assert worker.hear() is not None
    finally:
        worker.end()
