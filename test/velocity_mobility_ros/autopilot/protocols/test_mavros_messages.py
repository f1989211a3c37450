"""Messages of MAVROS as reports, requests as calls of its services, setpoints as its targets."""

import math
from types import SimpleNamespace

import pytest

from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import (
    Action, MavResult, Setpoint, SetpointKind
)
from velocity_mobility_ros.autopilot.protocols import mavros
from velocity_mobility_ros.autopilot.protocols.mavros import MavrosReports, answer, call_of, fill

ZERO = 0.0, 0.0, 0.0
COPTER = mavros.ardupilot('brake')
HALF = math.sqrt(0.5)


def vector(x, y, z):
    return SimpleNamespace(x=x, y=y, z=z)


def odometry(position=(1.0, 2.0, 3.0), body=(4.0, 0.0, 0.0), variance=0.0):
    pose = SimpleNamespace(position=vector(*position),
                           orientation=SimpleNamespace(x=0.0, y=0.0, z=HALF, w=HALF))  # fmt: skip
    twist = SimpleNamespace(linear=vector(*body), angular=vector(0.1, 0.2, 0.3))
    stamp = SimpleNamespace(sec=10, nanosec=500_000_000)
    return SimpleNamespace(
        header=SimpleNamespace(stamp=stamp),
        pose=SimpleNamespace(pose=pose, covariance=[variance, *[0.0] * 35]),
        twist=SimpleNamespace(twist=twist),
    )  # fmt: skip


def state(mode='OFFBOARD', connected=True, armed=True, system_status=4):
    return SimpleNamespace(
        connected=connected, armed=armed, mode=mode, system_status=system_status
    )


@pytest.mark.parametrize(('name', 'mode'), [
    ('OFFBOARD', Mode.OFFBOARD), ('AUTO.LOITER', Mode.HOLD), ('AUTO.LAND', Mode.LAND),
    ('AUTO.RTL', Mode.RETURN), ('AUTO.TAKEOFF', Mode.TAKEOFF), ('POSCTL', Mode.PILOT),
    ('AUTO.MISSION', Mode.OTHER), ('CMODE(33)', Mode.OTHER),
])  # fmt: skip
def test_modes_of_px4(name, mode):
    assert mavros.PX4.mode_of(name) is mode


@pytest.mark.parametrize(('name', 'mode'), [
    ('GUIDED', Mode.OFFBOARD), ('BRAKE', Mode.HOLD), ('LOITER', Mode.HOLD), ('LAND', Mode.LAND),
    ('RTL', Mode.RETURN), ('ALT_HOLD', Mode.PILOT), ('AUTO', Mode.OTHER),
])  # fmt: skip
def test_modes_of_ardupilot(name, mode):
    assert COPTER.mode_of(name) is mode


@pytest.mark.parametrize('dialect', [mavros.PX4, COPTER], ids=['px4', 'ardupilot'])
def test_each_mode_that_is_asked_for_is_the_one_that_is_waited_for(dialect):
    wanted = {Action.OFFBOARD: Mode.OFFBOARD, Action.HOLD: Mode.HOLD, Action.LAND: Mode.LAND,
              Action.RETURN: Mode.RETURN}  # fmt: skip
    assert {action: dialect.mode_of(name) for action, name in dialect.modes.items()} == wanted
    assert set(dialect.modes.values()) <= dialect.names


def test_a_state_without_a_connection_is_none():
    """It says disarmed, which MAVROS does not know."""
    assert mavros.vehicle_status(state(connected=False), mavros.PX4, 1.0) is None


@pytest.mark.parametrize(('number', 'acts'), [(3, False), (4, False), (5, True), (6, True)])
def test_a_critical_state_is_a_failsafe(number, acts):
    report = mavros.vehicle_status(state(system_status=number), mavros.PX4, 1.0)
    assert report.is_failsafe is acts


@pytest.mark.parametrize(('number', 'landed'), [(1, True), (2, False), (3, False), (4, False)])
def test_land_states(number, landed):
    assert mavros.land_state(SimpleNamespace(landed_state=number), 1.0).landed is landed
    assert mavros.land_state(SimpleNamespace(landed_state=0), 1.0) is None


def test_the_twist_is_turned_out_of_the_body():
    report = mavros.odometry_of(odometry(), 2.0)
    assert report.velocity == pytest.approx((0.0, 4.0, 0.0))  # forward is north
    assert report.angular_velocity == (0.1, 0.2, 0.3) and report.sampled_us == 10_500_000


def test_an_odometry_that_is_not_finite_is_none():
    assert mavros.odometry_of(odometry(position=(math.nan, 0.0, 0.0)), 2.0) is None


def test_reports_are_put_together():
    reports = MavrosReports(mavros.PX4)
    reports.take('state', state(), 1.0)
    reports.take('local_position/odom', odometry(variance=4.0), 8.0)
    local = reports.known.local
    assert local.position == (1.0, 2.0, 3.0) and local.heading == pytest.approx(0.5 * math.pi)
    assert local.eph == 2.0 and local.reference is None and not reports.has_origin
    assert reports.known.status.received == 1.0  # it comes by itself, once a second


def estimator(**changes):
    names = ('pos_horiz_abs', 'pos_horiz_rel', 'pos_vert_abs', 'velocity_horiz', 'velocity_vert')
    values = dict.fromkeys(names, True) | {'const_pos_mode': False} | changes
    return SimpleNamespace(**{f'{name}_status_flag': value for name, value in values.items()})


@pytest.mark.parametrize(('changes', 'valid'), [
    ({}, (True, True, True, True)),
    ({'pos_horiz_abs': False}, (True, True, True, True)),
    ({'pos_horiz_abs': False, 'pos_horiz_rel': False}, (False, True, True, True)),
    ({'const_pos_mode': True}, (False, True, False, True)),
    ({'pos_vert_abs': False, 'velocity_vert': False}, (True, False, True, False)),
])  # fmt: skip
def test_the_estimator_says_what_is_valid_for_a_while(changes, valid):
    reports = MavrosReports(mavros.PX4)
    reports.take('estimator_status', estimator(**changes), 1.0)
    reports.take('local_position/odom', odometry(), 2.0)
    assert _validity(reports) == valid
    reports.take('local_position/odom', odometry(), 5.0)
    assert _validity(reports) == (True, True, True, True)


def _validity(reports):
    local = reports.known.local
    return local.xy_valid, local.z_valid, local.v_xy_valid, local.v_z_valid


@pytest.mark.parametrize(('enabled', 'health', 'passes'), [
    (0, 0, True), (1 << 28, 0, False), (1 << 28, 1 << 28, True),
])  # fmt: skip
def test_the_checks_before_arming(enabled, health, passes):
    message = SimpleNamespace(sensors_enabled=enabled, sensors_health=health)
    assert mavros.passes_preflight(message) is passes


@pytest.mark.parametrize(('action', 'call'), [
    (Action.OFFBOARD, ('set_mode', {'base_mode': 0, 'custom_mode': 'GUIDED'})),
    (Action.HOLD, ('set_mode', {'base_mode': 0, 'custom_mode': 'BRAKE'})),
    (Action.ARM, ('cmd/arming', {'value': True})),
    (Action.DISARM, ('cmd/arming', {'value': False})),
    (Action.TAKEOFF, ('cmd/takeoff', {'altitude': 3.0})),
    (Action.KILL, ('cmd/command', {'command': 400, 'param1': 0.0, 'param2': 21196.0})),
])  # fmt: skip
def test_requests(action, call):
    assert call_of(action, COPTER, 3.0) == call


@pytest.mark.parametrize(('response', 'result'), [
    (SimpleNamespace(mode_sent=True), MavResult.IN_PROGRESS),
    (SimpleNamespace(mode_sent=False), MavResult.DENIED),
    (SimpleNamespace(success=True, result=0), MavResult.ACCEPTED),
    (SimpleNamespace(success=False, result=1), MavResult.TEMPORARILY_REJECTED),
    (SimpleNamespace(success=False, result=4), MavResult.FAILED),
    (SimpleNamespace(success=False, result=9), MavResult.DENIED),
])  # fmt: skip
def test_answers(response, result):
    assert answer(Action.ARM, response, 1.0).result is result


def test_no_acknowledgement_is_no_answer():
    assert answer(Action.ARM, SimpleNamespace(success=False, result=0), 1.0) is None


@pytest.mark.parametrize(('setpoint', 'mask', 'fields'), [
    (Setpoint(SetpointKind.POSITION, (1.0, 2.0, 3.0), yaw=0.5), 8 + 16 + 32 + 448 + 2048,
     ((1.0, 2.0, 3.0), ZERO, ZERO, 0.5, 0.0)),
    (Setpoint(SetpointKind.VELOCITY, (1.0, 2.0, 3.0), yaw_rate=0.2), 7 + 448 + 1024,
     (ZERO, (1.0, 2.0, 3.0), ZERO, 0.0, 0.2)),
    (Setpoint(SetpointKind.VELOCITY, (1.0, 2.0, 3.0), yaw=0.5, acceleration=(0.1, 0.2, 0.0)),
     7 + 2048, (ZERO, (1.0, 2.0, 3.0), (0.1, 0.2, 0.0), 0.5, 0.0)),
])  # fmt: skip
def test_setpoints(setpoint, mask, fields):
    position, velocity, acceleration = (SimpleNamespace(x=0.0, y=0.0, z=0.0) for _ in range(3))
    message = SimpleNamespace(position=position, velocity=velocity, yaw=0.0, yaw_rate=0.0,
                              acceleration_or_force=acceleration)  # fmt: skip
    fill(message, setpoint)
    assert (message.coordinate_frame, message.type_mask) == (1, mask)
    found = [tuple(vars(one).values()) for one in (position, velocity, acceleration)]
    assert (*found, message.yaw, message.yaw_rate) == fields
