"""Messages of AP_DDS as reports, with the traps that they hold."""

import math
from types import SimpleNamespace

import pytest

from velocity_mobility_ros.autopilot.autopilot_reports import Mode, battery
from velocity_mobility_ros.autopilot.autopilot_requests import Action, MavResult
from velocity_mobility_ros.autopilot.protocols import ardupilot_reports
from velocity_mobility_ros.autopilot.protocols.ap_dds import answer, call_of, mode_of_name, name_of
from velocity_mobility_ros.autopilot.protocols.ardupilot_reports import ArduPilotReports

STAMP = SimpleNamespace(sec=1_790_000_000, nanosec=250_000_000)
HEADER = SimpleNamespace(stamp=STAMP, frame_id='base_link')


def vector(x, y, z):
    return SimpleNamespace(x=x, y=y, z=z)


def geopose(latitude=47.0, longitude=8.0, altitude=500.0):
    at = SimpleNamespace(latitude=latitude, longitude=longitude, altitude=altitude)
    return SimpleNamespace(header=HEADER, pose=SimpleNamespace(position=at))


def pose(position=(0.0, 0.0, 0.0), attitude=(0.0, 0.0, 0.0, 1.0)):
    x, y, z, w = attitude
    turn = SimpleNamespace(x=x, y=y, z=z, w=w)
    at = vector(*position)
    return SimpleNamespace(header=HEADER, pose=SimpleNamespace(position=at, orientation=turn))


def twist(linear=(1.0, 2.0, 3.0), angular=(0.1, 0.2, 0.3)):
    parts = SimpleNamespace(linear=vector(*linear), angular=vector(*angular))
    return SimpleNamespace(header=HEADER, twist=parts)


def status(mode=4, armed=True, flying=True, failsafe=(), vehicle_type=2):
    return SimpleNamespace(
        vehicle_type=vehicle_type, armed=armed, mode=mode, flying=flying, failsafe=list(failsafe)
    )


@pytest.mark.parametrize(('number', 'mode'), [
    (0, Mode.PILOT), (2, Mode.PILOT), (3, Mode.OTHER), (4, Mode.OFFBOARD), (5, Mode.HOLD),
    (6, Mode.RETURN), (7, Mode.OTHER), (9, Mode.LAND), (16, Mode.PILOT), (17, Mode.HOLD),
    (21, Mode.RETURN), (99, Mode.OTHER),
])  # fmt: skip
def test_modes(number, mode):
    assert mode_of_name(name_of(number)) is mode


def test_failsafes_are_named():
    report = ardupilot_reports.vehicle_status(status(mode=6, failsafe=(22, 24)), 1.0)
    assert report.is_failsafe and report.mode_name == 'RTL, failsafe: battery, estimator'
    assert not ardupilot_reports.vehicle_status(status(), 1.0).is_failsafe


def test_a_rover_is_refused_in_words():
    fault = ardupilot_reports.vehicle_fault(status(vehicle_type=1))
    assert 'no ArduCopter (vehicle_type = 1)' in fault
    assert ardupilot_reports.vehicle_fault(status()) == ''


@pytest.mark.parametrize('message', [geopose(0.0, 0.0, 0.0), geopose(math.nan)])
def test_a_place_that_is_not_known_is_none(message):
    assert ardupilot_reports.reference(message.pose) is None


@pytest.mark.parametrize('message', [
    pose((math.nan, 0.0, 0.0)), pose(attitude=(0.0, 0.0, 0.0, 0.0)),
])  # fmt: skip
def test_a_pose_that_is_none(message):
    assert ardupilot_reports.pose_of(message) is None


def test_the_stamp_is_in_microseconds():
    assert ardupilot_reports.pose_of(pose()).stamp_us == 1_790_000_000_250_000


def test_the_velocity_is_in_enu_and_the_rates_are_of_the_body():
    """They are not turned into one another, whatever the attitude."""
    reports = ArduPilotReports()
    reports.take('twist/filtered', twist(), 1.0)
    half = math.sqrt(0.5)
    reports.take('pose/filtered', pose(attitude=(0.0, 0.0, half, half)), 1.1)
    odometry = reports.known.odometry
    assert odometry.velocity == (1.0, 2.0, 3.0) and odometry.angular_velocity == (0.1, 0.2, 0.3)
    assert reports.known.local.heading == pytest.approx(0.5 * math.pi)
    assert odometry.received == 1.0  # as old as the older part


def fed(reports, *times):
    """Take a place at each time."""
    for now in times:
        reports.take('twist/filtered', twist(), now)
        reports.take('pose/filtered', pose(), now)
    return reports.known.status.received


def test_a_status_is_as_young_as_the_pose():
    reports = ArduPilotReports()
    reports.take('status', status(), 1.0)
    assert fed(reports, 9.1, 9.2) == 9.2
    reports.take_preflight(False)
    assert not reports.known.status.passes_preflight


def test_after_a_silence_an_old_status_is_not_believed_at_once():
    reports = ArduPilotReports()
    reports.take('status', status(), 1.0)
    assert fed(reports, 1.1, 1.2) == 1.2
    assert fed(reports, 9.0, 9.5, 10.0, 10.5, 10.9) == 1.2
    assert fed(reports, 11.1) == 11.1


def test_a_status_after_a_silence_is_believed():
    reports = ArduPilotReports()
    reports.take('status', status(), 1.0)
    fed(reports, 1.1, 9.0)
    reports.take('status', status(mode=6), 9.1)
    assert fed(reports, 9.2) == 9.2 and reports.known.status.mode is Mode.RETURN


def fix(status=0, kind=2, variance=4.0):
    return SimpleNamespace(
        status=SimpleNamespace(status=status), position_covariance_type=kind,
        position_covariance=[variance] + [0.0] * 3 + [1.0] + [0.0] * 4,
    )  # fmt: skip


@pytest.mark.parametrize(('message', 'deviation'), [
    (fix(), 2.0), (fix(kind=0), 0.0), (fix(status=-1), math.inf),
])  # fmt: skip
def test_the_deviation_of_the_receiver(message, deviation):
    assert ardupilot_reports.horizontal_deviation(message) == deviation


def test_without_a_fix_for_long_the_place_is_uncertain():
    reports = ArduPilotReports()
    reports.take('navsat', fix(), 1.0)
    for now, deviation in ((2.0, 2.0), (4.5, math.inf)):
        reports.take('twist/filtered', twist(), now)
        reports.take('pose/filtered', pose(), now)
        assert reports.known.local.eph == deviation


def test_a_charge_that_is_not_told():
    assert math.isnan(battery(SimpleNamespace(present=True, percentage=-1.0), 0.0).remaining)
    assert battery(SimpleNamespace(present=True, percentage=0.4), 0.0).remaining == 0.4


@pytest.mark.parametrize(('action', 'service', 'fields'), [
    (Action.OFFBOARD, 'mode_switch', {'mode': 4}),
    (Action.HOLD, 'mode_switch', {'mode': 17}),
    (Action.LAND, 'mode_switch', {'mode': 9}),
    (Action.RETURN, 'mode_switch', {'mode': 6}),
    (Action.ARM, 'arm_motors', {'arm': True}),
    (Action.DISARM, 'arm_motors', {'arm': False}),
    (Action.TAKEOFF, 'experimental/takeoff', {'alt': 3.0}),
])  # fmt: skip
def test_requests(action, service, fields):
    assert call_of(action, 'brake', 3.0) == (service, fields)


@pytest.mark.parametrize(('action', 'response', 'result'), [
    (Action.ARM, SimpleNamespace(result=True), MavResult.ACCEPTED),
    (Action.DISARM, SimpleNamespace(result=False), MavResult.TEMPORARILY_REJECTED),
    (Action.LAND, SimpleNamespace(status=True, curr_mode=9), MavResult.ACCEPTED),
    (Action.TAKEOFF, SimpleNamespace(status=False), MavResult.TEMPORARILY_REJECTED),
])  # fmt: skip
def test_answers(action, response, result):
    found = answer(action, response, 2.0)
    assert (found.received, found.actions, found.result) == (2.0, {action}, result)
