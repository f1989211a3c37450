"""Quality of service: states may be lost, commands and lockstep may not."""

import pytest
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED, LOCKSTEP, STATE, STATE_INPUT

pytestmark = pytest.mark.ros


def test_states_are_taken_from_whoever_publishes_them_and_only_the_newest_count():
    assert STATE_INPUT.reliability == ReliabilityPolicy.BEST_EFFORT
    assert STATE_INPUT.history == STATE.history == HistoryPolicy.KEEP_LAST


@pytest.mark.parametrize('profile', [STATE, COMMAND, LATCHED, LOCKSTEP])
def test_what_is_published_is_reliable(profile):
    assert profile.reliability == ReliabilityPolicy.RELIABLE


def test_lockstep_drops_nothing():
    assert LOCKSTEP.history == HistoryPolicy.KEEP_ALL


def test_latecomers_hear_what_was_said_once():
    assert LATCHED.durability == DurabilityPolicy.TRANSIENT_LOCAL


def test_a_subscriber_with_the_defaults_of_ros_hears_states():
    assert qos_check_compatible(STATE, QoSProfile(depth=10))[0] != QoSCompatibility.ERROR


def test_states_of_a_driver_that_offers_less_are_heard():
    assert qos_check_compatible(STATE_INPUT, STATE_INPUT)[0] != QoSCompatibility.ERROR


@pytest.mark.parametrize('profile', [STATE, COMMAND, LATCHED, LOCKSTEP])
def test_each_class_fits_itself(profile):
    assert qos_check_compatible(profile, profile)[0] != QoSCompatibility.ERROR
