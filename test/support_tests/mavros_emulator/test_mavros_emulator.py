"""What the emulated MAVROS hides and delays, as its sources say: a bridge would stumble."""

from types import SimpleNamespace

import pytest

from support.ardupilot_emulator.wire import vector
from support.mavros_emulator import ArduPilotSide, MavrosEmulator, Px4Side


def target(velocity=(0.0, 0.0, 0.0), frame=1):
    return SimpleNamespace(
        coordinate_frame=frame, type_mask=7 + 448 + 1024, position=vector(0.0, 0.0, 0.0),
        velocity=vector(*velocity), acceleration_or_force=vector(0.0, 0.0, 0.0), yaw=0.0,
        yaw_rate=0.0,
    )  # fmt: skip


class Hands:
    """A script's hands on an emulator."""

    def __init__(self, side):
        self.emulator, self.side, self.sent = MavrosEmulator(side), side, []
        self.setpoint = None

    def run(self, seconds):
        for _ in range(round(seconds / 0.05)):
            if self.setpoint is not None:
                self.emulator.receive(self.setpoint)
            self.sent += self.emulator.step(0.05)

    def call(self, service, seconds=0.3, **fields):
        found = []
        self.emulator.call(service, SimpleNamespace(**fields), found.append)
        self.run(seconds)
        return found[0] if found else None

    def mode(self):
        return self.emulator.last['state'].mode


def test_a_mode_is_sent_whatever_becomes_of_it():
    hands = Hands(Px4Side())
    hands.run(1.0)
    assert hands.call('set_mode', custom_mode='AUTO.LAND', seconds=1.2).mode_sent
    hands.emulator.deaf_to_modes = 1
    assert hands.call('set_mode', custom_mode='AUTO.LOITER', seconds=1.2).mode_sent
    assert hands.mode() == 'AUTO.LAND'
    assert not hands.call('set_mode', custom_mode='GUIDED').mode_sent


def test_px4_is_armed_and_stays_in_offboard_mode_with_a_stream_only_and_comes_back_with_it():
    hands = Hands(Px4Side())
    hands.run(1.0)
    hands.call('set_mode', custom_mode='OFFBOARD')
    refused = hands.call('cmd/arming', value=True)
    assert (refused.success, refused.result) == (False, 1)
    hands.setpoint = target(velocity=(0.0, 0.0, 1.0))
    hands.run(1.5)
    assert hands.call('cmd/arming', value=True).success
    hands.run(5.0)
    hands.setpoint = None
    hands.run(3.0)
    assert hands.mode() != 'OFFBOARD'
    hands.setpoint = target()
    hands.run(2.0)
    assert hands.mode() == 'OFFBOARD'


def test_setpoints_move_px4_in_offboard_mode_only():
    hands = Hands(Px4Side())
    hands.setpoint = target(velocity=(2.0, 0.0, 1.0))
    hands.run(2.0)
    assert hands.call('cmd/arming', value=True).success  # in AUTO.LOITER
    hands.run(5.0)
    assert hands.side.truth.height == 0.0 and hands.mode() == 'AUTO.LOITER'


def test_the_state_comes_once_a_second_and_lags():
    hands = Hands(ArduPilotSide())
    hands.run(0.1)
    hands.call('set_mode', custom_mode='GUIDED', seconds=0.5)
    assert hands.mode() == 'STABILIZE' and hands.side.copter.mode.name == 'GUIDED'
    hands.run(0.6)
    assert hands.mode() == 'GUIDED'


def test_a_lost_vehicle_is_noticed_after_10_s():
    hands = Hands(ArduPilotSide())
    hands.run(2.0)
    hands.emulator.is_up = False
    hands.run(9.0)
    assert hands.emulator.last['state'].connected
    hands.run(2.0)
    last = hands.emulator.last['state']
    assert (last.connected, last.armed, last.mode) == (False, False, '')


def test_without_an_acknowledgement_a_command_fails_with_the_result_0_after_5_s():
    hands = Hands(ArduPilotSide())
    hands.emulator.ack_loss = 1.0
    found = hands.call('cmd/arming', value=True, seconds=5.2)
    assert (found.success, found.result) == (False, 0) and hands.side.armed


def test_ardupilot_tells_its_origin_on_request_only():
    hands = Hands(ArduPilotSide())
    hands.run(3.0)
    assert 'global_position/gp_origin' not in hands.emulator.last
    assert hands.call('cmd/command', command=512, param1=49.0).success
    hands.run(1.0)
    at = hands.emulator.last['global_position/gp_origin'].position
    assert at.latitude == pytest.approx(47.397742) and at.altitude > 488.0 + 40.0  # ellipsoid


def test_other_frames_are_not_taken_for_the_local_one():
    hands = Hands(ArduPilotSide())
    hands.call('set_mode', custom_mode='GUIDED')
    hands.call('cmd/arming', value=True)
    hands.call('cmd/takeoff', altitude=3.0)
    hands.run(6.0)
    for frame, east in ((8, 0.0), (1, 2.0)):
        hands.setpoint = target(velocity=(2.0, 0.0, 0.0), frame=frame)
        hands.run(3.0)
        assert hands.side.copter.velocity[0] == pytest.approx(east, abs=0.2)
