"""Odometry of two bodies on one topic, and of an estimator that is stuck."""

from velocity_mobility_ros.core.odometry_consistency import OdometryMotion

STEP_NS = 50_000_000
SECOND = 1_000_000_000
EAST = (4.0, 0.0, 0.0)


def flaws(places, velocity=EAST, patience_ns=SECOND // 2):
    """Return what is said of odometries at positions along x [m], 20 a second."""
    motion = OdometryMotion(patience_ns)
    return [motion.flaw(k * STEP_NS, (x, 0.0, 5.0), velocity) for k, x in enumerate(places)]


def test_two_bodies_in_turn_are_refused_from_the_third_jump_back_on():
    faults = flaws([0.2 * k + 30.0 * (k % 2) for k in range(20)])
    assert faults[:4] == [None] * 4
    assert all(fault.startswith('positions jump by ') for fault in faults[4:])
    assert 'there and back: of two vehicles on one topic?' in faults[4]


def test_they_are_taken_again_when_the_other_one_is_silent_for_three_seconds():
    faults = flaws([0.2 * k + 30.0 * (k % 2 if k < 10 else 0) for k in range(90)])
    assert faults[9] and faults[30] and not faults[80]


def test_resets_noise_and_a_single_wrong_message_are_of_one_body():
    reset = [0.2 * k + 30.0 * (k > 10) + 40.0 * (k > 20) for k in range(40)]
    wrong = [0.2 * k + 30.0 * (k in (10, 25)) for k in range(40)]
    noisy = [0.2 * k + 0.4 * (k % 2) for k in range(40)]
    for places in (reset, wrong, noisy):
        assert flaws(places) == [None] * 40


def test_an_estimator_that_is_stuck_is_no_news_and_then_a_flaw():
    faults = flaws([*range(5), *[4.0] * 20])
    assert faults[:5] == [None] * 5 and faults[5:15] == [''] * 10
    assert faults[15] == (
        'position and velocity are the same to the bit for 0.55 s, at 4.0 m/s: '
        'is the estimator stuck?'
    )


def test_a_body_that_stands_is_measured_the_same_every_time():
    assert flaws([4.0] * 20, (0.0, 0.0, 0.0)) == [None] * 20
