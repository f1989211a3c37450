"""The twist limiter with feedback: it starts from, and stays near to, what the vehicle does."""

import math

import pytest
from nav_msgs.msg import Odometry
from support.ros.bodies import level_message
from support.ros.limiter import PERIOD_NS, STATUS, Limiter
from support.ros.told import STALE, WARN
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros

BODY = 'uav_1/base_link'
STILL = (0.0, 0.0, 0.0)


class Measured(Limiter):
    """A limiter with feedback, and a voice for the odometry."""

    def __init__(self, ros, **parameters):
        super().__init__(ros, feedback='odometry', **parameters)
        self.odometry = ros.voice(Odometry, '/uav_1/odom', STATE)

    def measure(self, velocity, yaw=0.0, yaw_rate=0.0, body=BODY, frame='map'):
        """Publish odometry until the node has it: it is subscribed best effort."""
        seen, feedback = self.node._feedback._stamp_ns, self.node._feedback

        def is_taken():
            message = level_message(self.now_ns, body, STILL, yaw, velocity, yaw_rate, frame)
            self.odometry.publish(message)
            self.ros.meanwhile(0.01)
            self.set_time(self.now_ns + PERIOD_NS)
            return feedback._stamp_ns > seen

        self.ros.until(is_taken, 'the odometry')


def test_it_starts_from_the_measured_velocity(ros):
    limiter = Measured(ros)
    limiter.measure((4.0, 0.0, 1.0))
    limiter.tick(1, (0.0, 0.0, 1.0))
    assert limiter.velocity == pytest.approx((3.94, 0.0, 1.0))


def test_it_stays_near_to_a_vehicle_that_does_not_move(ros):
    limiter = Measured(ros, max_velocity_error=0.5, max_yaw_rate_error=0.5, odom_timeout=100.0)
    limiter.measure(STILL)
    limiter.tick(40, (5.0, 0.0, 0.0))
    assert 0.5 <= limiter.velocity[0] <= 0.56 * (1 + 1e-9)


def test_in_the_frame_of_the_body_the_measured_velocity_is_levelled_and_turned(ros):
    limiter = Measured(ros, cmd_vel_frame='base_link')
    limiter.measure((0.0, 3.0, 0.5), yaw=math.pi / 2, yaw_rate=0.25)
    limiter.say((3.0, 0.0, 0.5), 0.25, frame=BODY)
    limiter.tick()
    assert limiter.velocity == pytest.approx((3.0, 0.0, 0.5))
    assert limiter.output.last.twist.angular.z == pytest.approx(0.25)


@pytest.mark.parametrize(('changes', 'line'), [
    ({'body': 'uav_2/base_link'}, "child_frame_id = 'uav_2/base_link' must be 'uav_1/base_link'"),
    ({'frame': 'odom'}, "frame_id = 'odom' must be 'map'"),
    ({'velocity': (math.nan, 0.0, 0.0)}, 'must be finite'),
    ({'yaw_rate': math.inf}, 'twist.angular.z = inf must be finite'),
])  # fmt: skip
def test_odometry_that_does_not_fit_is_refused(ros, changes, line):
    limiter = Measured(ros)
    given = {'velocity': (4.0, 0.0, 0.0), 'yaw': 0.0, 'yaw_rate': 0.0, 'body': BODY,
             'frame': 'map', **changes}  # fmt: skip

    def is_refused():
        limiter.odometry.publish(
            level_message(
                limiter.now_ns,
                given['body'],
                STILL,
                given['yaw'],
                given['velocity'],
                given['yaw_rate'],
                given['frame'],
            )
        )
        limiter.set_time(limiter.now_ns + PERIOD_NS)
        return any(line in one.message for one in limiter.told.statuses(STATUS))

    ros.until(is_refused, line)
    limiter.tick(1, (4.0, 0.0, 0.0))
    assert limiter.velocity == pytest.approx((0.06, 0.0, 0.0))


def test_without_odometry_it_works_and_says_so(ros):
    limiter = Measured(ros, odom_timeout=0.5)
    ros.until(lambda: limiter.told.shows(STATUS, STALE, 'no odometry received yet'), 'the status')
    limiter.measure((1.0, 0.0, 0.0))
    limiter.tick(1, (1.0, 0.0, 0.0))
    assert limiter.velocity == (1.0, 0.0, 0.0)
    limiter.tick(60, (5.0, 0.0, 0.0))
    assert limiter.velocity[0] == pytest.approx(4.6)
    texts = 'no odometry on /uav_1/odom for 1.', ' s: works without feedback'
    ros.until(lambda: limiter.told.shows(STATUS, WARN, *texts), 'the status')
    assert all(acc <= 3.0 * (1 + 1e-9) for acc, _ in limiter.accelerations())
