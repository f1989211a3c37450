"""The emulated ArduCopter does what its sources say where a bridge can stumble over it."""

import math
from types import SimpleNamespace

import pytest
from support.ardupilot_emulator import ApDdsEmulator, ArduSettings
from support.ardupilot_emulator.modes import Flight


def command(frame='map', x=0.0, y=0.0, z=0.0, rate=0.0):
    linear, angular = SimpleNamespace(x=x, y=y, z=z), SimpleNamespace(z=rate)
    return SimpleNamespace(header=SimpleNamespace(frame_id=frame),
                           twist=SimpleNamespace(linear=linear, angular=angular))  # fmt: skip


class Hands:
    """A script's hands on an emulator."""

    def __init__(self, **settings):
        self.emulator = ApDdsEmulator(ArduSettings(**settings))
        self.copter, self.sent = self.emulator.copter, []
        self.command = None

    def run(self, seconds):
        for _ in range(round(seconds / 0.1)):
            if self.command is not None:
                self.emulator.receive(self.command)
            self.sent += self.emulator.step(0.1)

    def call(self, service, **fields):
        found = []
        self.emulator.call(service, SimpleNamespace(**fields), found.append)
        self.run(0.2)
        return found[0]

    def fly(self, height=3.0):
        assert self.call('mode_switch', mode=4).status and self.call('arm_motors', arm=True).result
        assert self.call('experimental/takeoff', alt=height).status
        self.run(10.0)
        assert self.copter.body.truth.height == pytest.approx(height, abs=0.1)

    def statuses(self):
        return [one.message for one in self.sent if one.topic == 'status']


def test_the_status_comes_on_change_only():
    hands = Hands()
    hands.run(5.0)
    assert len(hands.statuses()) == 1
    hands.call('mode_switch', mode=4)
    hands.run(5.0)
    assert [one.mode for one in hands.statuses()] == [0, 4]
    counts = [sum(one.topic == topic for one in hands.sent) for topic in ('geopose/filtered',
              'battery')]  # fmt: skip
    assert counts[0] == pytest.approx(10.2 / 0.033, rel=0.05) and counts[1] == 11


def test_a_velocity_alone_does_not_lift_it_off():
    hands = Hands()
    hands.call('mode_switch', mode=4)
    hands.call('arm_motors', arm=True)
    hands.command = command(z=1.0)
    hands.run(5.0)
    assert hands.copter.body.truth.height == 0.0 and hands.copter.armed
    hands.run(6.0)
    assert not hands.copter.armed  # DISARM_DELAY


def test_a_velocity_ends_a_take_off():
    hands = Hands()
    hands.call('mode_switch', mode=4)
    hands.call('arm_motors', arm=True)
    hands.call('experimental/takeoff', alt=5.0)
    hands.run(3.0)
    assert 0.2 < hands.copter.body.truth.height < 4.0
    hands.command = command()
    hands.run(5.0)
    assert hands.copter.body.truth.height < 4.5


def test_commands_count_armed_in_guided_and_in_two_frames_only():
    hands = Hands()
    hands.emulator.receive(command(x=1.0))
    hands.fly()
    for frame in ('odom', 'base_link ', '/map', ''):
        hands.emulator.receive(command(frame, x=1.0))
    hands.call('mode_switch', mode=5)
    hands.emulator.receive(command(x=1.0))
    assert hands.emulator.ignored == [
        'not armed in GUIDED', "frame 'odom'", "frame 'base_link '", "frame '/map'", "frame ''",
        'not armed in GUIDED',
    ]  # fmt: skip


def test_velocities_end_after_3_s_and_it_stays_in_guided():
    hands = Hands()
    hands.fly()
    hands.command = command(x=2.0)
    hands.run(3.0)
    hands.command = None
    hands.run(2.8)
    assert hands.copter.velocity[0] > 1.8
    hands.run(3.0)
    assert abs(hands.copter.velocity[0]) < 0.05 and hands.copter.mode == Flight.GUIDED


@pytest.mark.parametrize(('is_mirrored', 'north'), [(False, 1.0), (True, -1.0)])
def test_the_sign_of_y_in_base_link_can_be_wrong(is_mirrored, north):
    hands = Hands(heading=math.radians(90.0), is_y_mirrored=is_mirrored)  # looks east
    hands.fly()
    hands.command = command('base_link', y=1.0)  # to its left: north
    hands.run(3.0)
    assert hands.copter.velocity[1] == pytest.approx(north, abs=0.1)


def test_the_pose_counts_from_home_which_moves_when_it_is_armed():
    hands = Hands(home_offset=(7.0, -4.0))
    hands.run(1.0)
    at = hands.emulator.last['pose/filtered'].pose.position
    assert (at.x, at.y) == pytest.approx((-7.0, 4.0), abs=0.01)
    hands.fly()
    at = hands.emulator.last['pose/filtered'].pose.position
    assert (at.x, at.y) == pytest.approx((0.0, 0.0), abs=0.05)


def test_in_the_air_it_takes_no_second_take_off_and_does_not_disarm():
    hands = Hands()
    hands.fly()
    assert not hands.call('experimental/takeoff', alt=9.0).status
    assert not hands.call('arm_motors', arm=False).result


def test_landing_and_return_modes_do_not_arm():
    hands = Hands()
    for mode in (6, 9, 17):
        hands.call('mode_switch', mode=mode)
        assert not hands.call('arm_motors', arm=True).result


def test_an_unknown_mode_and_one_without_a_position_are_refused():
    hands = Hands()
    assert not hands.call('mode_switch', mode=77).status
    hands.copter.has_position = False
    answer = hands.call('mode_switch', mode=4)
    assert (answer.status, answer.curr_mode) == (False, 0)
    assert hands.emulator.last['geopose/filtered'].pose.position.latitude == 0.0


def test_after_landing_it_disarms_and_stays_in_its_mode():
    hands = Hands()
    hands.fly()
    hands.call('mode_switch', mode=9)
    hands.run(15.0)
    last = hands.statuses()[-1]
    assert (last.armed, last.flying, last.mode) == (False, False, 9)


def test_answers_take_their_time_or_never_come():
    hands = Hands(service_delay=(0.5, 0.5))
    found = []
    hands.emulator.call('prearm_check', SimpleNamespace(), found.append)
    hands.run(0.4)
    assert found == []
    hands.run(0.2)
    assert found[0].success and found[0].message == 'Vehicle is Armable'
    lossy = Hands(service_loss=1.0)
    lossy.emulator.call('prearm_check', SimpleNamespace(), found.append)
    lossy.run(5.0)
    assert len(found) == 1
