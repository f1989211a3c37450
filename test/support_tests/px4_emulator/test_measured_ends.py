"""Measured on the firmware: the agent is killed, PX4 ends."""

import pytest
from support.px4_emulator.direct_drive import flying


def test_agent_killed_failsafe_landed_disarmed():
    hands = flying()
    hands.emulator.agent_down(30.0)
    assert not hands.run(20.0)
    assert not hands.armed
    assert hands.emulator.firmware.flight.land.landed


def test_odometry_is_back_6_4_s_after_the_agents_restart():
    hands = flying()
    hands.emulator.agent_down(2.0)
    hands.last.clear()
    back = hands.until(lambda: 'vehicle_odometry' in hands.last)
    assert back == pytest.approx(8.4, abs=0.05)


def test_without_the_agent_there_are_no_topics():
    hands = flying()
    hands.emulator.agent_down(2.0)
    hands.run(8.0)
    assert not hands.emulator.is_in_graph
    hands.run(0.5)
    assert hands.emulator.is_in_graph


def test_the_topics_of_a_px4_that_ended_stand_for_45_s_without_messages():
    hands = flying()
    hands.emulator.end()
    assert not hands.run(44.0)
    assert hands.emulator.is_in_graph
    hands.run(2.0)
    assert not hands.emulator.is_in_graph
