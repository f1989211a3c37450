"""Which format PX4 is asked for when, and what its answers say of the installed messages."""

import pytest

from velocity_mobility_ros.autopilot.protocols.px4_message_versions import (
    AGAIN, PATIENCE, SELDOM, FormatCheck, InstalledMessage
)

STATUS, COMMAND, FLAGS = '/fmu/out/vehicle_status', '/fmu/in/vehicle_command', '/fmu/out/flags'
HASHES = {STATUS: 11, COMMAND: 22, FLAGS: 33}


@pytest.fixture
def check():
    """Return a check of three messages."""
    names = 'VehicleStatus', 'VehicleCommand', 'FailsafeFlags'
    return FormatCheck({
        topic: InstalledMessage(name, HASHES[topic])
        for topic, name in zip(HASHES, names, strict=True)
    })  # fmt: skip


def test_one_question_at_a_time_until_all_are_the_same(check):
    assert check.waits == '' and check.description == '0 of 3'
    asked = []
    while topic := check.question(5.0):
        assert 'formats' in check.waits
        assert check.question(5.0) == ''
        asked.append(topic)
        check.answer(topic, HASHES[topic], 5.0)
    assert asked == [*HASHES]
    assert check.is_done and check.fault == '' and check.waits == ''
    assert check.description == '3 of 3' and not check.is_given_up


def test_a_question_without_an_answer_comes_again_after_the_other_ones(check):
    asked = [check.question(k * AGAIN) for k in range(4)]
    assert asked == [STATUS, COMMAND, FLAGS, STATUS]


def test_the_first_message_that_differs_is_named_and_ends_the_questions(check):
    check.answer(check.question(0.0), HASHES[STATUS], 0.0)
    check.answer(check.question(0.0), 99, 0.0)
    assert check.fault.startswith('px4_msgs/VehicleCommand differs from that of the firmware')
    assert 'build the branch of px4_msgs' in check.fault and '\n' not in check.fault
    said = check.fault
    check.answer(FLAGS, 99, 0.0)
    assert check.fault == said and check.is_done and check.question(9.0) == ''


def test_without_an_answer_the_vehicle_flies_unchecked_and_is_asked_seldom(check):
    check.question(1.0)
    asked = 1.0 + 0.9 * PATIENCE
    assert check.question(asked) and not check.is_given_up and check.waits
    assert check.question(1.0 + PATIENCE) == '' and check.is_given_up
    assert check.waits == '' and check.fault == '' and not check.is_done
    assert check.question(asked + 0.9 * SELDOM) == ''
    assert check.question(asked + 1.1 * SELDOM)


def test_each_answer_gives_time_for_the_next(check):
    check.question(0.0)
    check.answer(STATUS, 11, 0.8 * PATIENCE)
    check.question(1.5 * PATIENCE)
    assert not check.is_given_up


def test_a_message_that_px4_does_not_know_is_not_compared_and_no_trouble(check):
    for topic in HASHES:
        check.answer(topic, None if topic == FLAGS else HASHES[topic], 0.0)
    assert check.is_done and check.fault == '' and check.description == '2 of 3'


def test_answers_to_questions_of_others_change_nothing(check):
    check.question(0.0)
    check.answer('/fmu/out/vehicle_attitude', 99, 0.0)
    assert check.fault == '' and check.description == '0 of 3' and check.question(0.0) == ''
