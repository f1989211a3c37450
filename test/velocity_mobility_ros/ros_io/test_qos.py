"""Quality of service: states may be lost, commands and lockstep may not."""

import pytest
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSCompatibility,
    ReliabilityPolicy,
    qos_check_compatible,
)
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED, LOCKSTEP, STATE

pytestmark = pytest.mark.ros


def test_states_are_best_effort_and_only_the_newest_count():
    assert STATE.reliability == ReliabilityPolicy.BEST_EFFORT
    assert STATE.history == HistoryPolicy.KEEP_LAST


@pytest.mark.parametrize('profile', [COMMAND, LATCHED, LOCKSTEP])
def test_all_else_is_reliable(profile):
    assert profile.reliability == ReliabilityPolicy.RELIABLE


def test_lockstep_drops_nothing():
    assert LOCKSTEP.history == HistoryPolicy.KEEP_ALL


def test_latecomers_hear_what_was_said_once():
    assert LATCHED.durability == DurabilityPolicy.TRANSIENT_LOCAL


def test_a_reader_of_commands_does_not_fit_a_writer_of_states():
    assert qos_check_compatible(STATE, COMMAND)[0] == QoSCompatibility.ERROR


@pytest.mark.parametrize('profile', [STATE, COMMAND, LATCHED, LOCKSTEP])
def test_each_class_fits_itself(profile):
    assert qos_check_compatible(profile, profile)[0] != QoSCompatibility.ERROR
