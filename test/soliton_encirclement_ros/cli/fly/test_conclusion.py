"""What is said at the end of an order, and the exit code."""

import pytest

from soliton_encirclement_ros.cli.fly.fleet_state import NOT_HEARD, AddressedFleet
from soliton_encirclement_ros.cli.fly.fly_order import LAND, OrderProgress, OrderStatus
from soliton_encirclement_ros.cli.fly.fly_view import conclude, refuse, whereabouts
from soliton_encirclement_ros.cli.output import print_error, say
from support.fly.reports import HOLDING, snapshot

DONE = OrderStatus(OrderProgress.DONE, 'disarmed')
LATE = OrderStatus(OrderProgress.UNDER_WAY, 'the autopilot lands')
FAILED = OrderStatus(OrderProgress.FAILED, 'refused: no')


@pytest.mark.parametrize(
    ('found', 'code', 'out', 'err'),
    [
        (
            {'uav_1': DONE, 'uav_2': DONE}, 0,
            'stand, disarmed: uav_1, uav_2 (2 of 2)\n', '',
        ),
        (
            {'uav_1': DONE, 'uav_2': LATE, 'uav_3': FAILED}, 1,
            'stand, disarmed: uav_1 (1 of 3)\n',
            'error: uav_2 not confirmed: the autopilot lands\n'
            'error: uav_3 not confirmed: refused: no\n',
        ),
    ],
)  # fmt: skip
def test_who_does_as_ordered_is_named_and_who_does_not(capsys, found, code, out, err):
    assert conclude(LAND, found, AddressedFleet([*found], True), say, print_error) == code
    assert capsys.readouterr() == (out, err)


def test_nobody_is_no_success(capsys):
    nobody = AddressedFleet([], False)
    assert conclude(LAND, {}, nobody, say, print_error) == 1
    assert refuse('no take-off', [], {}, print_error) == 1
    out, err = capsys.readouterr()
    assert (out, err.count('error: no bridge of a vehicle found')) == ('', 2)


def test_every_fault_at_the_gate_is_a_line(capsys):
    faults = {'uav_2': ['no battery', 'no odometry']}
    assert refuse('no take-off', ['uav_1', 'uav_2'], faults, print_error) == 1
    assert capsys.readouterr().err.splitlines() == [
        'error: uav_2: no battery',
        'error: uav_2: no odometry',
        'error: no take-off: 1 of 2 vehicles not ready; ready: uav_1',
    ]


def test_a_fleet_that_is_not_known_is_no_success(capsys):
    assert conclude(LAND, {'uav_1': DONE}, AddressedFleet(['uav_1'], False), say, print_error) == 1
    out, err = capsys.readouterr()
    assert out == 'stand, disarmed: uav_1 (1 of at least 1)\n'
    assert err == (
        'error: the whole fleet is not known (1 found): say it with --agents N or --scenario, or '
        'name the vehicles\n'
    )


def test_where_vehicles_are_is_said_by_what_they_report():
    climbing = {**HOLDING, 'state': 'TAKE_OFF', 'landed': 'true'}
    seen = {
        'uav_1': snapshot(), 'uav_2': snapshot(**climbing), 'uav_3': snapshot(**HOLDING),
        'uav_4': snapshot(age=7.0, **HOLDING), 'uav_5': NOT_HEARD,
        'uav_6': snapshot(armed='true', state='ARMING'), 'uav_7': snapshot(**climbing),
    }  # fmt: skip
    assert whereabouts([*seen], seen) == (
        'uav_1: on the ground, not armed; uav_2, uav_7: climbing, will hold at the top; '
        'uav_3: in the air, holding; uav_4: silent for 7 s, so it may be in the air; '
        'uav_5: not heard, so it may be in the air; uav_6: on the ground, ARMED'
    )
