"""What a bridge says of its vehicle: on every change and twice a second, in words."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
from diagnostic_msgs.msg import DiagnosticStatus

from support.autopilot.emulated import EmulatedVehicle
from support.autopilot.emulated_flight import ENGAGE, FRAME
from velocity_mobility_ros.autopilot.autopilot_reports import (
    Battery, LandState, Mode, VehicleStatus
)
from velocity_mobility_ros.autopilot.autopilot_requests import Intent
from velocity_mobility_ros.autopilot.bridge import Bridge, BridgeParameters, Known, LinkFacts
from velocity_mobility_ros.autopilot.engage.engage_records import Outputs, State
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.nodes.autopilot.bridge_report import (
    PERIOD, BridgeReport, number, vehicle_values, waits_for, warnings
)

pytestmark = pytest.mark.ros

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR
GOOD = LinkFacts()


def out(state, reason='since'):
    return Outputs(state, reason, Intent.SILENT, None, None)


def bridge(**known):
    one = Bridge(BridgeParameters(ENGAGE, GuidanceParameters(), FRAME))
    one.known = Known(**known)
    return one


def values(message):
    return {pair.key: pair.value for pair in message.values}


def test_it_is_published_on_change_and_twice_a_second(ros):
    heard = []
    report = BridgeReport(ros.tester, 'px4', SimpleNamespace(publish=heard.append))
    for k in range(100):  # two seconds
        state = State.HOLD if k >= 55 else State.READY
        report.update(bridge(), out(state), GOOD, 0.02 * k, 0.12 - 0.001 * k, -0.25)
    states = [values(message)['state'] for message in heard]
    assert states == ['READY'] * (1 + int(1.1 / PERIOD)) + ['HOLD'] * (1 + int(0.88 / PERIOD))
    assert [values(one)['tick_ms'] for one in heard][:2] == ['120', '119']  # the longest since
    assert values(heard[-1])['clock_offset_s'] == '-0.250'
    assert values(heard[-1])['autopilot'] == 'px4' and heard[-1].name == 'autopilot bridge'


@pytest.mark.parametrize(('state', 'link', 'level'), [
    (State.TRACK, GOOD, OK), (State.EXTERNAL, GOOD, WARN), (State.HOLD_REENTRY, GOOD, WARN),
    (State.FAULT, GOOD, ERROR), (State.LINK_LOST, GOOD, ERROR),
    (State.WAIT_LINK, LinkFacts(absent='no PX4'), WARN),
    (State.WAIT_LINK, LinkFacts(fault='another release'), ERROR),
])  # fmt: skip
def test_the_level_is_that_of_the_state_and_of_the_link(ros, state, link, level):
    assert BridgeReport(ros.tester, 'px4').level(out(state), link) == level


def test_a_vehicle_that_cannot_take_off_says_why(ros):
    report, one = BridgeReport(ros.tester, 'px4'), bridge()
    assert report.reason(out(State.READY, 'ready')) == 'ready'
    report.update(one, out(State.READY, 'ready'), GOOD, 0.0, 0.0, math.nan)
    assert report.reason(out(State.READY, 'ready')) == 'not ready: nothing is known yet'
    assert report.level(out(State.READY), GOOD) == WARN
    one.step(1.0)
    report.update(one, out(State.READY, 'ready'), GOOD, 1.0, 0.0, math.nan)
    assert 'no status of the autopilot' in report.reason(out(State.READY))


def test_values_of_a_vehicle_of_which_nothing_is_known():
    found = vehicle_values(bridge(), out(State.WAIT_LINK, 'no status yet'), 0.0)
    assert found['state'] == 'WAIT_LINK' and found['ready'] == 'false'
    assert found['waits_for'] == 'no status yet'
    unknown = ('autopilot_mode', 'armed', 'landed', 'system_id', 'battery', 'x', 'y', 'z',
               'command_age_s', 'odometry_age_s')  # fmt: skip
    assert {found[key] for key in unknown} == {'unknown'}
    assert found['origin'] == '47.3977420,8.5455940,488.00'


def test_values_of_a_vehicle_in_flight():
    status = VehicleStatus(0.0, True, Mode.OFFBOARD, Mode.OFFBOARD, 'OFFBOARD', system_id=7)
    one = bridge(status=status, land=LandState(0.0, False), battery=Battery(0.0, True, 0.5))
    found = vehicle_values(one, out(State.TRACK), 0.0)
    assert (found['armed'], found['landed'], found['system_id']) == ('true', 'false', '7')
    assert (found['autopilot_mode'], found['battery']) == ('OFFBOARD', '0.500')
    assert found['waits_for'] == ''


def test_an_operator_is_warned_in_flight():
    status = VehicleStatus(0.0, True, Mode.OFFBOARD, Mode.OFFBOARD, 'OFFBOARD')
    one = bridge(status=status, battery=Battery(0.0, True, 0.21))
    one.outside = 3.0
    assert warnings(one, out(State.TRACK)) == (
        'battery at 21 %: land soon', '3.0 m outside of its room'
    )  # fmt: skip
    one.known = one.known._replace(status=status._replace(is_armed=False))
    assert warnings(one, out(State.READY)) == ()


def test_an_operator_is_warned_of_a_vehicle_that_does_not_stay():
    flight = EmulatedVehicle()
    flight.take_off()
    assert warnings(flight.bridge, flight.out.engage) == ()
    local = flight.bridge.known.local
    x, y, z = local.position
    moved = local._replace(position=(x + 3.0, y, z))
    flight.bridge.known = flight.bridge.known._replace(local=moved)
    assert warnings(flight.bridge, flight.out.engage) == (
        '3.0 m from the place that it is to keep',
    )


def test_a_vehicle_says_how_far_it_is_inside_its_bounds():
    flight = EmulatedVehicle()
    flight.take_off()
    one, out_now = flight.bridge, flight.out.engage
    assert vehicle_values(one, out_now, 0.0)['fence_distance_m'] == 'unknown'
    bounded = replace(one.parameters.guidance, keep_in_radius=45.0)
    one.parameters = one.parameters._replace(guidance=bounded)
    expected = number(45.0 - math.hypot(*one.position[:2]))
    assert vehicle_values(one, out_now, 0.0)['fence_distance_m'] == expected


@pytest.mark.parametrize(('state', 'expected'), [
    (State.TRACK, ()), (State.HOLD, ()), (State.HOLD_REENTRY, ('since',)),
    (State.EXTERNAL, ('since',)), (State.READY, ('nothing is known yet',)),
])  # fmt: skip
def test_what_a_vehicle_waits_for(state, expected):
    assert waits_for(bridge(), out(state)) == expected


@pytest.mark.parametrize(('value', 'text'), [
    (1.23456, '1.235'), (-0.0, '-0.000'), (math.nan, 'unknown'), (math.inf, 'unknown'),
])  # fmt: skip
def test_numbers_that_are_not_finite_are_unknown(value, text):
    assert number(value) == text
