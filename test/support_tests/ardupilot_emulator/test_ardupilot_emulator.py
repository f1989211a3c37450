"""What the emulated ArduCopter refuses and ignores, as its sources say: a bridge would stumble."""

from types import SimpleNamespace

import pytest

from support.ardupilot_emulator import ApDdsEmulator, ArduSettings
from support.ardupilot_emulator.modes import Flight


def command(frame='map', x=0.0, y=0.0, z=0.0):
    linear, angular = SimpleNamespace(x=x, y=y, z=z), SimpleNamespace(z=0.0)
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

    def armed(self):
        assert self.call('mode_switch', mode=4).status and self.call('arm_motors', arm=True).result

    def fly(self, height=3.0):
        self.armed()
        assert self.call('experimental/takeoff', alt=height).status
        self.run(10.0)
        assert self.copter.body.truth.height == pytest.approx(height, abs=0.1)

    def statuses(self):
        return [one.message for one in self.sent if one.topic == 'status']


def test_the_status_comes_on_change_only():
    hands = Hands()
    hands.run(5.0)
    hands.call('mode_switch', mode=4)
    hands.run(5.0)
    assert [one.mode for one in hands.statuses()] == [0, 4]


def test_a_velocity_alone_does_not_lift_it_off():
    hands = Hands()
    hands.armed()
    hands.command = command(z=1.0)
    hands.run(5.0)
    assert hands.copter.body.truth.height == 0.0 and hands.copter.armed
    hands.run(6.0)
    assert not hands.copter.armed  # DISARM_DELAY


def test_a_velocity_ends_a_take_off():
    hands = Hands()
    hands.armed()
    hands.call('experimental/takeoff', alt=5.0)
    hands.run(3.0)
    hands.command = command()
    hands.run(5.0)
    assert 0.2 < hands.copter.body.truth.height < 4.5


def test_commands_count_armed_in_guided_and_in_the_frame_map_only():
    hands = Hands()
    hands.emulator.receive(command(x=1.0))
    hands.fly()
    for frame in ('odom', 'base_link', '/map', ''):
        hands.emulator.receive(command(frame, x=1.0))
    hands.call('mode_switch', mode=5)
    hands.emulator.receive(command(x=1.0))
    assert hands.emulator.ignored == [
        'not armed in GUIDED', "frame 'odom'", "frame 'base_link'", "frame '/map'", "frame ''",
        'not armed in GUIDED',
    ]  # fmt: skip


def test_velocities_end_after_3_s_and_it_stays_in_guided():
    hands = Hands()
    hands.fly()
    hands.command = command(x=2.0)
    hands.run(3.0)
    hands.command = None
    hands.run(2.8)
    assert hands.copter.velocity[0] > 1.8 and abs(hands.copter.velocity[1]) < 0.1
    hands.run(3.0)
    assert abs(hands.copter.velocity[0]) < 0.05 and hands.copter.mode == Flight.GUIDED


def test_the_pose_counts_from_home_which_moves_when_it_is_armed():
    hands = Hands(home_offset=(7.0, -4.0))
    for x, y in ((-7.0, 4.0), (0.0, 0.0)):
        hands.run(1.0)
        at = hands.emulator.last['pose/filtered'].pose.position
        assert (at.x, at.y) == pytest.approx((x, y), abs=0.05)
        hands.armed()


def test_what_it_refuses():
    hands = Hands()
    assert not hands.call('mode_switch', mode=77).status
    for mode in (6, 9, 17):  # landing and return modes do not arm
        hands.call('mode_switch', mode=mode)
        assert not hands.call('arm_motors', arm=True).result
    hands.fly()
    assert not hands.call('experimental/takeoff', alt=9.0).status
    assert not hands.call('arm_motors', arm=False).result


def test_after_landing_it_disarms_and_stays_in_its_mode():
    hands = Hands()
    hands.fly()
    hands.call('mode_switch', mode=9)
    hands.run(15.0)
    last = hands.statuses()[-1]
    assert (last.armed, last.flying, last.mode) == (False, False, 9)


def test_answers_take_their_time_or_never_come():
    for loss, count in ((0.0, 1), (1.0, 0)):
        emulator, found = ApDdsEmulator(
            ArduSettings(service_delay=(0.5, 0.5), service_loss=loss)), []  # fmt: skip
        emulator.call('prearm_check', SimpleNamespace(), found.append)
        emulator.step(0.4)
        assert found == []
        emulator.step(0.2)
        assert len(found) == count
