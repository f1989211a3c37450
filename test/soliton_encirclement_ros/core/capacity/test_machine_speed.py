"""The speed of this machine: positive, steady, and in proportion to the work."""

import time

import pytest
from soliton_encirclement_ros.core.capacity.machine_speed import (
    MESSAGES,
    exchange,
    machine_speed,
    round_time,
)
from soliton_encirclement_ros.core.capacity.reference_machine import ROUND_TIME


def test_this_machine_has_a_speed():
    assert 0.02 < machine_speed() < 50.0


def test_it_is_measured_in_a_short_time():
    begun = time.thread_time()
    speed = machine_speed()
    assert time.thread_time() - begun < 3.0 * 11 * ROUND_TIME / speed


def test_twice_the_work_takes_twice_the_time():
    ratios = [round_time(lambda: exchange(2 * MESSAGES)) / round_time(exchange) for _ in range(3)]
    assert sorted(ratios)[1] == pytest.approx(2.0, rel=0.25)


def test_half_as_fast_has_half_the_speed(monkeypatch):
    ticks = iter(range(1000))
    monkeypatch.setattr(time, 'thread_time', lambda: 2.0 * ROUND_TIME * next(ticks))
    assert machine_speed() == pytest.approx(0.5)


def test_the_workload_is_the_same_each_time():
    assert exchange() == exchange() != exchange(2 * MESSAGES)
