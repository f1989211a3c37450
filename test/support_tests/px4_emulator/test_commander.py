"""The commander by its table: modes, what they need, commands, failsafes."""

import pytest
from support.px4_emulator import Cmd, NavState, Px4Parameters, Result, events
from support.px4_emulator.commander.commander import Commander
from support.px4_emulator.commander.failsafe import FALL_THROUGH, fallback
from support.px4_emulator.commander.requirements import ARMABLE, NEEDS, Conditions, can_run
from support.px4_emulator.constants import Reason
from support.px4_emulator.direct_drive import drive, flying
from support.px4_emulator.wire.releases import RELEASES

FINE = Conditions(
    heartbeat=True, offboard=True, local_position=True, global_position=True, altitude=True,
    attitude=True, home=True, manual_control=True, battery_warning=0, landed=False,
    maybe_landed=False,
)  # fmt: skip
S = 1_000_000

TABLE = [
    (NavState.OFFBOARD, 'offboard', True),
    (NavState.AUTO_LOITER, 'global_position', True),
    (NavState.AUTO_RTL, 'home', False),
    (NavState.AUTO_RTL, 'global_position', False),
    (NavState.AUTO_TAKEOFF, 'local_position', True),
    (NavState.AUTO_LAND, 'local_position', False),
    (NavState.DESCEND, 'attitude', False),
    (NavState.POSCTL, 'manual_control', True),
    (NavState.POSCTL, 'local_position', True),
    (NavState.ALTCTL, 'altitude', True),
    (NavState.STAB, 'manual_control', True),
]


@pytest.mark.parametrize(('mode', 'need', 'arms'), TABLE)
def test_a_mode_needs(mode, need, arms):
    assert can_run(mode, FINE)
    assert not can_run(mode, FINE._replace(**{need: False}))
    assert (mode in ARMABLE) is arms


def test_termination_needs_nothing_and_there_is_no_mission():
    nothing = Conditions(*[False] * 8, 0, False, False)
    assert can_run(NavState.TERMINATION, nothing)
    assert [mode for mode in NEEDS if can_run(mode, nothing)] == [NavState.TERMINATION]
    assert not can_run(NavState.AUTO_MISSION, FINE)


def test_take_off_and_land_need_no_global_position_but_hold_does():
    indoors = FINE._replace(global_position=False)
    assert can_run(NavState.AUTO_TAKEOFF, indoors) and can_run(NavState.AUTO_LAND, indoors)
    assert not can_run(NavState.AUTO_LOITER, indoors)


@pytest.mark.parametrize('mode', list(NavState))
def test_disarmed_every_mode_is_accepted(mode):
    commander = Commander(Px4Parameters(), RELEASES['1.16'])
    nothing = Conditions(*[False] * 8, 0, True, True)
    assert commander.request(mode, nothing, 0)
    assert commander.nav_state == mode and not commander.failsafe


@pytest.mark.parametrize('mode', set(NavState) - set(NEEDS))
def test_armed_a_mode_that_cannot_run_is_refused_for_now(mode):
    hands = flying()
    assert hands.mode(4.0, 4.0) == Result.TEMPORARILY_REJECTED
    commander = hands.emulator.firmware.commander
    assert not commander.request(mode, FINE, 0)
    assert hands.nav_state == NavState.OFFBOARD


MODES = [
    ((1.0, 6.0, 0.0), NavState.OFFBOARD),
    ((1.0, 4.0, 3.0), NavState.AUTO_LOITER),
    ((1.0, 4.0, 5.0), NavState.AUTO_RTL),
    ((1.0, 4.0, 6.0), NavState.AUTO_LAND),
    ((1.0, 4.0, 2.0), NavState.AUTO_TAKEOFF),
    ((1.0, 4.0, 0.0), NavState.AUTO_MISSION),
    ((1.0, 3.0, 0.0), NavState.POSCTL),
]


@pytest.mark.parametrize(('params', 'mode'), MODES)
def test_do_set_mode(params, mode):
    hands = drive()
    one, two, three = params
    sent = hands.command(Cmd.DO_SET_MODE, param1=one, param2=two, param3=three)
    assert (sent, hands.nav_state) == (Result.ACCEPTED, mode)


@pytest.mark.parametrize('params', [(1.0, 99.0), (0.0, 6.0), (0.0, 0.0)])
def test_an_unknown_main_mode_is_accepted_and_does_nothing(params):
    hands = drive()
    one, two = params
    assert hands.command(Cmd.DO_SET_MODE, param1=one, param2=two) == Result.ACCEPTED
    assert hands.nav_state == NavState.AUTO_LOITER


def test_an_unknown_sub_mode_is_refused_for_now():
    assert drive().mode(4.0, 99.0) == Result.TEMPORARILY_REJECTED


@pytest.mark.parametrize(('release', 'result'), [('1.14', None), ('1.15', 0), ('1.18', 0)])
def test_set_nav_state_from_1_15(release, result):
    hands = drive(release=release)
    assert hands.command(Cmd.SET_NAV_STATE, param1=14.0) == result
    assert (hands.nav_state == NavState.OFFBOARD) is (result == 0)


@pytest.mark.parametrize(
    ('command', 'mode'),
    [
        (Cmd.NAV_LAND, NavState.AUTO_LAND),
        (Cmd.NAV_RETURN_TO_LAUNCH, NavState.AUTO_RTL),
        (Cmd.NAV_TAKEOFF, NavState.AUTO_TAKEOFF),
        (Cmd.NAV_LOITER_UNLIM, NavState.AUTO_LOITER),
    ],
)
def test_commands_that_change_the_mode(command, mode):
    hands = flying()
    assert hands.command(command) == Result.ACCEPTED
    assert hands.nav_state == mode


def test_hold_without_gps_is_refused_for_now_and_land_is_not():
    hands = flying()
    hands.emulator.happens(events.gps, False)
    hands.run(0.1)
    assert hands.mode(4.0, 3.0) == Result.TEMPORARILY_REJECTED
    assert hands.command(Cmd.NAV_LAND) == Result.ACCEPTED


@pytest.mark.parametrize('param1', [2.0, -1.0])
def test_arming_with_another_number_gets_no_answer(param1):
    assert drive().command(Cmd.COMPONENT_ARM_DISARM, param1=param1) is None


def test_arming_twice_is_accepted():
    assert flying().arm() == Result.ACCEPTED


def test_force_skips_no_check():
    hands = drive()
    hands.offboard()
    assert hands.arm(param2=21196.0) == Result.TEMPORARILY_REJECTED


@pytest.mark.parametrize('mode', [NavState.AUTO_LAND, NavState.AUTO_RTL, NavState.DESCEND])
def test_no_arming_in(mode):
    hands = drive(2.0)
    hands.command(Cmd.SET_NAV_STATE, param1=float(mode))
    assert hands.arm() == Result.TEMPORARILY_REJECTED


def test_no_arming_with_a_low_battery():
    hands = drive()
    hands.flag = 'velocity'
    hands.emulator.happens(events.battery, 0.1, 1)
    hands.run(1.0)
    hands.offboard()
    assert hands.arm() == Result.TEMPORARILY_REJECTED
    assert hands.last['battery_status'].warning == 1


def test_termination_is_denied_on_the_ground_and_final_in_the_air():
    assert drive().command(Cmd.DO_FLIGHTTERMINATION, param1=1.0) == Result.DENIED
    hands = flying()
    assert hands.command(Cmd.DO_FLIGHTTERMINATION, param1=1.0) == Result.ACCEPTED
    hands.run(2.0)
    assert hands.nav_state == NavState.TERMINATION and hands.truth.height == 0.0
    assert hands.offboard() == Result.TEMPORARILY_REJECTED


def test_the_origin_moves_without_an_answer_and_the_vehicle_stays():
    hands = flying(noise=0.0)
    hands.setpoint = None
    before = hands.last['vehicle_local_position']
    place = {'param5': before.ref_lat + 1e-4, 'param6': before.ref_lon, 'param7': before.ref_alt}
    assert hands.command(Cmd.SET_GPS_GLOBAL_ORIGIN, **place) is None
    after = hands.last['vehicle_local_position']
    assert after.ref_timestamp != before.ref_timestamp and after.ref_lat == place['param5']
    assert after.x - before.x == pytest.approx(-11.12, abs=0.1)
    assert after.delta_xy[0] == pytest.approx(after.x - before.x, abs=0.1)
    hands.run(3.0)
    assert hands.last['vehicle_local_position'].x == pytest.approx(after.x, abs=0.1)


FALLS = [
    (NavState.POSCTL, {}, NavState.POSCTL),
    (NavState.POSCTL, {'local_position': False}, NavState.ALTCTL),
    (NavState.POSCTL, {'altitude': False, 'local_position': False}, NavState.STAB),
    (NavState.AUTO_LOITER, {}, NavState.AUTO_LOITER),
    (NavState.AUTO_LOITER, {'global_position': False}, NavState.AUTO_LAND),
    (NavState.AUTO_LOITER, {'global_position': False, 'local_position': False}, NavState.DESCEND),
    (NavState.AUTO_LAND, {'attitude': False}, NavState.TERMINATION),
]


@pytest.mark.parametrize(('action', 'lost', 'end'), FALLS)
def test_a_failsafe_falls_through(action, lost, end):
    assert fallback(action, FINE._replace(**lost), False, 2) == end
    assert fallback(action, FINE._replace(**lost), True, 2) == end


def test_without_a_pilot_1_17_takes_the_action_of_rc_loss():
    alone = FINE._replace(manual_control=False)
    assert fallback(NavState.POSCTL, alone, False, 2) == NavState.POSCTL
    assert fallback(NavState.POSCTL, alone, True, 2) == NavState.AUTO_RTL
    assert fallback(NavState.POSCTL, alone, True, 3) == NavState.AUTO_LAND
    indoors = alone._replace(global_position=False)
    assert fallback(NavState.POSCTL, indoors, True, 2) == NavState.AUTO_LAND


def test_the_list_ends_in_termination():
    assert FALL_THROUGH[-1] == NavState.TERMINATION


@pytest.mark.parametrize(
    ('number', 'mode'),
    [(3, NavState.AUTO_RTL), (4, NavState.AUTO_LAND), (6, NavState.TERMINATION)],
)
def test_com_obl_rc_act(number, mode):
    hands = flying(parameters={'com_obl_rc_act': number})
    hands.silent()
    hands.run(1.2)
    assert hands.nav_state == mode


def test_com_obl_rc_act_7_disarms():
    hands = flying(parameters={'com_obl_rc_act': 7})
    hands.silent()
    hands.run(1.2)
    assert not hands.armed
    assert hands.emulator.firmware.commander.disarming_reason is Reason.FAILSAFE


def test_a_heartbeat_without_flags_is_none():
    hands = flying()
    hands.flag = ''
    hands.run(1.2)
    assert hands.nav_state != NavState.OFFBOARD


@pytest.mark.parametrize(('release', 'number'), [('1.16', 7), ('1.18', 6)])
def test_reasons_of_disarming_are_numbered_by_release(release, number):
    hands = flying(height=1.0, release=release)
    hands.silent()
    hands.command(Cmd.NAV_LAND)
    hands.until(lambda: not hands.armed)
    hands.run(0.3)
    assert hands.last['vehicle_status'].latest_disarming_reason == number
