"""A request to stop by signal: one request may arrive more than once."""

import os
import signal

import pytest
from velocity_mobility_ros.core import interrupt as module
from velocity_mobility_ros.core.interrupt import ECHO, Interrupt

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that stands, with the handlers as before afterwards."""
    before = {number: signal.getsignal(number) for number in NUMBERS}
    now = [100.0]
    monkeypatch.setattr(module.time, 'monotonic', lambda: now[0])
    yield now
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize('number', NUMBERS)
def test_a_signal_is_recorded(clock, number):
    asked = Interrupt()
    assert not asked
    os.kill(os.getpid(), number)
    assert (bool(asked), asked.count, asked.is_repeated) == (True, 1, False)


def test_the_same_request_from_terminal_launch_and_systemd_is_not_repeated(clock):
    asked = Interrupt()
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGINT)
        clock[0] += 0.4 * ECHO
    assert (asked.count, asked.is_repeated) == (3, False)


def test_somebody_who_asks_again_later_is(clock):
    asked = Interrupt()
    os.kill(os.getpid(), signal.SIGINT)
    clock[0] += 1.01 * ECHO
    assert not asked.is_repeated
    os.kill(os.getpid(), signal.SIGTERM)
    assert asked.is_repeated
