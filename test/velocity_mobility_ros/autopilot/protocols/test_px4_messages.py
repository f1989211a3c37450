"""PX4's status, position, answers and commands as they are read and written."""

import math
from types import SimpleNamespace

import pytest

from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import (
    Action, MavResult, Setpoint, SetpointKind
)
from velocity_mobility_ros.autopilot.protocols.px4_reports import (
    battery, flags, land_state, local_position, mode_of, reason_name, vehicle_status
)
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    Address, answer, command_fields, heartbeat_fields, setpoint_fields
)

FLAGS = ('timestamp', 'position', 'velocity', 'acceleration', 'attitude', 'body_rate',
         'thrust_and_torque', 'direct_actuator')  # fmt: skip
TO = Address(3, 1, 191)


def sent(topic, seconds=2.0):
    """Return the last message of a topic from an emulated vehicle."""
    vehicle = Px4Emulator(Settings(instance=2, vehicle='kinematic'))
    return [one.message for one in vehicle.step(seconds) if one.topic == topic][-1]


def test_a_status():
    found = vehicle_status(sent('vehicle_status'), 7.0)
    assert (found.received, found.system_id, found.is_armed) == (7.0, 3, False)
    assert not found.is_failsafe and not found.safety_locked and not found.is_calibrating
    message = sent('vehicle_status')
    message.nav_state, message.nav_state_user_intention, message.arming_state = 5, 14, 2
    message.safety_button_available, message.safety_off = True, False
    found = vehicle_status(message, 7.0)
    assert (found.mode, found.intention, found.mode_name) == (
        Mode.RETURN, Mode.OFFBOARD, 'AUTO_RTL')  # fmt: skip
    assert found.is_armed and found.safety_locked


@pytest.mark.parametrize(('number', 'mode'), [
    (14, Mode.OFFBOARD), (4, Mode.HOLD), (5, Mode.RETURN), (18, Mode.LAND), (17, Mode.TAKEOFF),
    (12, Mode.DESCEND), (13, Mode.TERMINATION), (2, Mode.PILOT), (15, Mode.PILOT), (3, Mode.OTHER),
    (23, Mode.OTHER), (31, Mode.OTHER),
])  # fmt: skip
def test_modes(number, mode):
    assert mode_of(number) is mode


def test_a_reason_is_named_by_the_class_of_the_message():
    """Its numbers are others in 1.18."""
    kinds = [
        type('VehicleStatus', (), {'ARM_DISARM_REASON_KILL_SWITCH': number}) for number in (9, 8)
    ]
    for kind, number in zip(kinds, (9, 8), strict=True):
        message = kind()
        message.latest_disarming_reason = number
        assert reason_name(message) == 'kill switch'
    assert reason_name(SimpleNamespace(latest_disarming_reason=3)) == ''


def test_a_local_position_and_its_jumps():
    message = sent('vehicle_local_position')
    message.x, message.y, message.z, message.vx, message.vy, message.vz = 1, 2, 3, 4, 5, 6
    message.heading = 0.0
    message.delta_xy, message.delta_vxy = (0.1, 0.2), (0.3, 0.4)
    message.delta_z, message.delta_vz, message.delta_heading = 0.5, 0.6, 0.7
    found = local_position(message, 7.0)
    assert found.position == (2, 1, -3) and found.velocity == (5, 4, -6)
    assert found.heading == pytest.approx(math.pi / 2)
    jumps = found.resets
    assert (jumps.delta_xy, jumps.delta_v_xy) == ((0.2, 0.1), (0.4, 0.3))
    assert (jumps.delta_z, jumps.delta_v_z, jumps.delta_heading) == (-0.5, -0.6, -0.7)
    assert found.reference.latitude == message.ref_lat
    message.xy_global = False
    assert local_position(message, 7.0).reference is None


def test_land_battery_and_flags():
    assert land_state(sent('vehicle_land_detected'), 1.0).landed
    found = battery(sent('battery_status'), 1.0)
    assert found.is_connected and 0.0 < found.remaining <= 1.0 and found.warning == 0
    lost = SimpleNamespace(connected=True, remaining=-1.0, warning=0)
    assert math.isnan(battery(lost, 1.0).remaining)
    message = SimpleNamespace(timestamp=9, mode_req_manual=4, new_trouble=True, battery_warning=2)
    assert flags(message, vars(message), 1.0).values == {'new_trouble': 1, 'battery_warning': 2}


@pytest.mark.parametrize(('action', 'expected'), [
    (Action.OFFBOARD, (176, 1.0, 6.0, 0.0)), (Action.HOLD, (176, 1.0, 4.0, 3.0)),
    (Action.ARM, (400, 1.0, 0.0, 0.0)), (Action.DISARM, (400, 0.0, 0.0, 0.0)),
    (Action.KILL, (400, 0.0, 21196.0, 0.0)), (Action.RETURN, (20, 0.0, 0.0, 0.0)),
])  # fmt: skip
def test_commands(action, expected):
    fields = command_fields(action, TO)
    found = tuple(fields[name] for name in ('command', 'param1', 'param2', 'param3'))
    assert found == expected
    assert fields['from_external'] is True and fields['timestamp'] == 0
    assert (fields['target_system'], fields['target_component']) == (3, 1)
    assert fields['source_component'] == 191


def test_a_landing_is_where_the_vehicle_is():
    fields = command_fields(Action.LAND, TO)
    assert fields['command'] == 21 and math.isnan(fields['param1'])


def test_answers_are_those_to_this_bridge():
    ack = SimpleNamespace(command=176, result=1, target_system=3, target_component=191)
    found = answer(ack, 191, 5.0)
    assert found.result is MavResult.TEMPORARILY_REJECTED
    assert found.actions == {Action.OFFBOARD, Action.HOLD}
    assert answer(ack, 190, 5.0) is None
    assert answer(SimpleNamespace(**{**vars(ack), 'command': 211}), 191, 5.0) is None
    odd = SimpleNamespace(**{**vars(ack), 'result': 8})
    assert answer(odd, 191, 5.0).result is MavResult.DENIED


def test_what_a_setpoint_does_not_use_is_nan():
    hold = setpoint_fields(Setpoint(SetpointKind.POSITION, (2.0, 1.0, 3.0), yaw=0.0))
    assert hold['position'] == (1.0, 2.0, -3.0) and hold['yaw'] == pytest.approx(math.pi / 2)
    for name in ('velocity', 'acceleration', 'jerk'):
        assert all(map(math.isnan, hold[name]))
    assert math.isnan(hold['yawspeed'])
    fly = setpoint_fields(Setpoint(SetpointKind.VELOCITY, (2.0, 1.0, 3.0), yaw_rate=0.0))
    assert fly['velocity'] == (1.0, 2.0, -3.0) and all(map(math.isnan, fly['position']))
    assert math.isnan(fly['yaw'])


@pytest.mark.parametrize('names', [FLAGS, (*FLAGS[:6], 'actuator')])
def test_a_heartbeat_has_exactly_one_flag(names):
    for kind in SetpointKind:
        fields = heartbeat_fields(kind, names)
        set_ = [name for name, value in fields.items() if value is True]
        assert set_ == [kind.value] and set(fields) == set(names) and fields['timestamp'] == 0
