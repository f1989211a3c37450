"""Each check before an engagement, by its words."""

import pytest

from support.autopilot.simple import PARAMETERS, Flight
from velocity_mobility_ros.autopilot.autopilot_reports import Battery, Flags, LandState, Mode
from velocity_mobility_ros.autopilot.engage.engage_records import Request
from velocity_mobility_ros.autopilot.engage.prechecks import failing_checks, reasons


def known():
    flight = Flight()
    flight.run(0.1)
    return flight.inputs()


def faults(goal=Request.TAKE_OFF, settings=PARAMETERS, **changes):
    return failing_checks(settings, known()._replace(**changes), goal)


def test_a_vehicle_that_stands_ready_passes():
    assert faults() == () and faults(Request.ENGAGE) == ()


def status(**changes):
    return {'status': known().status._replace(**changes)}


def local(**changes):
    return {'local': known().local._replace(**changes)}


@pytest.mark.parametrize(('changes', 'words'), [
    ({'status': None}, 'no status'),
    (status(received=0.0), 'no status of the autopilot for 2 s'),
    (status(is_failsafe=True, mode_name='AUTO_RTL'), 'a failsafe acts (AUTO_RTL)'),
    (status(is_calibrating=True), 'calibrated'),
    (status(safety_locked=True), 'safety switch'),
    (status(mode=Mode.LAND), 'does not arm in its mode land'),
    ({'local': None}, 'no local position'),
    (local(received=0.0), 'no local position for 0.5 s'),
    (local(xy_valid=False), 'the horizontal position'),
    (local(z_valid=False), 'the height'),
    (local(v_xy_valid=False), 'the horizontal velocity'),
    (local(v_z_valid=False), 'the vertical velocity'),
    (local(dead_reckoning=True), 'dead reckoning'),
    (local(eph=1.6), 'eph = 1.6 m, at most 1.5 m'),
    (local(eph=float('nan')), 'eph'),
    (local(evh=0.6), 'evh = 0.6 m/s, at most 0.5 m/s'),
    (local(velocity=(0.4, 0.0, 0.0)), 'the vehicle moves: 0.40 m/s, at most 0.3 m/s'),
    ({'odometry': None}, 'no odometry'),
    ({'land': LandState(0.0, False)}, 'does not stand'),
    ({'battery': Battery(0.0, True, 0.25)}, 'the battery is at 25 %, at least 30 %'),
    ({'battery': Battery(0.0, True, 0.9, 1)}, 'the battery warns'),
    ({'flags': Flags(0.0, {'fd_motor_failure': 1})}, 'fd_motor_failure is set'),
    ({'is_matched': False}, 'does not listen'),
    ({'commanders': 2}, '2 bridges'),
    ({'fault': 'px4_msgs is of another release'}, 'px4_msgs is of another release'),
    ({'outside': 3.0}, '3.0 m outside'),
    ({'command_age': 0.1, 'command_speed': 1.2}, 'commands 1.20 m/s, at most 1.05 m/s'),
])  # fmt: skip
def test_each_fault_is_named_with_its_bound(changes, words):
    found = faults(**changes)
    assert any(words in fault for fault in found), found


def test_the_heading_counts_in_flight_only():
    """On the ground the real PX4 says that its heading is not good for control."""
    unsure = local(heading_valid=False)
    assert faults(**unsure) == ()
    assert faults(Request.ENGAGE, **unsure) == ('the heading of the estimator is not valid',)


def test_in_flight_a_vehicle_may_move_and_be_commanded():
    moving = {**local(velocity=(3.0, 0.0, 0.0)), 'land': LandState(0.0, False)}
    assert faults(Request.ENGAGE, command_age=0.1, command_speed=2.0, **moving) == ()


def test_a_battery_that_does_not_tell_is_no_fault():
    assert faults(battery=None) == () and faults(battery=Battery(0.0, False, 0.0)) == ()
    assert faults(battery=Battery(0.0, True, float('nan'))) == ()


def test_a_refusal_is_explained_by_what_is_known():
    signal = Flags(0.0, {'offboard_control_signal_lost': 1, 'home_position_invalid': 1})
    found = reasons(known()._replace(flags=signal, **status(passes_preflight=False)))
    assert found == ('the heartbeat does not arrive (OffboardControlMode)',
                     'home_position_invalid is set', 'its preflight checks fail')  # fmt: skip
    assert 'ground station' in reasons(known())[0]
