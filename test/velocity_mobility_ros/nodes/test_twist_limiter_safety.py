"""What the twist limiter does when something is wrong: silence, NaN, stamps, clocks, stops."""

import itertools
import math

import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist

from support.ros.limiter import PERIOD_NS, STATUS, Limiter, S
from support.ros.sent_messages import command_to_stamped
from support.ros.told import ERROR, WARN

pytestmark = pytest.mark.ros

FORWARD = (3.0, 0.0, 0.0)


def speeds(limiter):
    return [message.twist.linear.x for message in limiter.output]


def test_silence_ends_in_a_stop_within_the_limits(ros):
    limiter = Limiter(ros, cmd_vel_timeout=0.5)
    limiter.tick(60, FORWARD)
    limiter.tick(90)
    assert speeds(limiter)[59 + 25] == 3.0
    assert speeds(limiter)[59 + 26] == pytest.approx(2.94)
    assert limiter.output.last.twist == Twist()
    assert all(acc <= 3.0 * (1 + 1e-9) for acc, _ in limiter.accelerations())
    assert limiter.stamps == [1000 * S + i * PERIOD_NS for i in range(1, 151)]
    text = 'no command on /uav_1/cmd_vel_raw for '
    ros.until(lambda: limiter.told.shows(STATUS, WARN, text, '(cmd_vel_timeout 0.5 s)'), text)
    assert limiter.value('timeouts') == '1'
    limiter.tick(1, FORWARD)
    assert limiter.velocity[0] == pytest.approx(0.06)


@pytest.mark.parametrize('value', [math.nan, math.inf])
def test_what_is_no_number_is_refused_counted_and_no_command(ros, value):
    limiter = Limiter(ros)
    limiter.tick(60, FORWARD)
    for i in range(20):
        limiter.say((value, 1.0, 1.0)) if i % 2 else limiter.say((1.0, 1.0, 1.0), value)
        limiter.tick()
        assert limiter.velocity == FORWARD
    assert limiter.value('refused_cmd_vel_raw') == '20'
    for _ in range(80):
        limiter.say((value, 1.0, 1.0))
        limiter.tick()
    assert limiter.velocity == (0.0, 0.0, 0.0)


def test_a_stamp_that_was_never_set_is_refused_in_flight(ros):
    limiter = Limiter(ros)
    message = command_to_stamped(FORWARD, 0.0, 0)
    assert message.header.stamp == Time()
    limiter.tick(10, (0.1, 0.0, 0.0))
    limiter.send(message)
    limiter.tick(10)
    assert limiter.velocity == (0.1, 0.0, 0.0)
    text = '1 message refused on /uav_1/cmd_vel_raw: stamp is 0, so it was never set'
    ros.until(lambda: any(text in one.message for one in limiter.told.statuses(STATUS)), text)


@pytest.mark.parametrize('start_ns', [1, 499_000_000 - PERIOD_NS])
def test_near_the_beginning_of_simulated_time_a_stamp_of_zero_counts(ros, start_ns):
    limiter = Limiter(ros, start_ns)
    limiter.send(command_to_stamped(FORWARD, 0.0, 0))
    limiter.tick(3)
    # The first output may count for the longest time between two, which is five periods.
    assert 0.0 < limiter.velocity[0] <= (5 + 3) * 0.06
    assert all(acc <= 3.0 * (1 + 1e-9) for acc, _ in limiter.accelerations())


@pytest.mark.parametrize('age_ns', [600_000_000, -600_000_000])
def test_a_stamp_of_another_time_is_refused(ros, age_ns):
    limiter = Limiter(ros)
    limiter.tick(1, (0.0, 0.0, 0.0))
    limiter.say(FORWARD, age_ns=age_ns)
    limiter.tick(5)
    assert limiter.velocity == (0.0, 0.0, 0.0)
    assert limiter.value('refused_cmd_vel_raw') == '1'


def test_a_clock_that_jumps_back_makes_no_command_older_or_younger(ros):
    limiter = Limiter(ros)
    limiter.tick(60, FORWARD)
    limiter.set_time(5 * S)
    limiter.tick(100)
    after = [one for one, t in zip(limiter.output, limiter.stamps, strict=True) if t < 100 * S]
    assert after[0].twist.linear.x == 3.0
    found = [message.twist.linear.x for message in after]
    assert all(abs(b - a) <= 0.06 * (1 + 1e-9) for a, b in itertools.pairwise(found))
    assert found[-1] == 0.0
    assert limiter.value('clock_setbacks') == '0'
    said = 'simulated time jumped by -'
    ros.until(lambda: limiter.told.logged('uav_1.twist_limiter', said), 'the line')
    limiter.tick(1, FORWARD)
    assert limiter.velocity[0] == pytest.approx(0.06)


def test_a_leap_of_the_clock_is_no_time_in_which_to_accelerate(ros):
    limiter = Limiter(ros, max_dt=0.1, cmd_vel_timeout=0.0)
    limiter.tick(2, (0.0, 0.0, 0.0))
    limiter.say(FORWARD)
    limiter.set_time(5000 * S)
    limiter.tick(1)
    assert max(speeds(limiter)) == pytest.approx(0.06)


def test_an_emergency_stop_is_at_once_and_latched(ros):
    limiter = Limiter(ros)
    limiter.tick(60, FORWARD)
    before = len(limiter.output)
    answer = limiter.stop(True)
    assert answer.success and answer.message == 'stopped until called with false'
    ros.until(lambda: len(limiter.output) > before, 'the stop, while the clock stands still')
    assert limiter.output.last.twist == Twist()
    limiter.tick(20, FORWARD, 1.0)
    assert all(message.twist == Twist() for message in limiter.output[before:])
    ros.until(lambda: limiter.told.shows(STATUS, ERROR, 'emergency stop is on'), 'the status')
    assert limiter.value('emergency_stop') == 'true'
    limiter.stop(False)
    limiter.tick(10)
    assert all(message.twist == Twist() for message in limiter.output[before:])
    limiter.tick(2, FORWARD)
    assert speeds(limiter)[-2:] == pytest.approx([0.06, 0.12])
    ros.until(
        lambda: limiter.told.logged('uav_1.twist_limiter', 'emergency stop: released'), 'the line'
    )
