"""What is said at the end of an order, and the exit code."""

import pytest
from soliton_encirclement_ros.cli.fly.conclusion import conclude, refuse
from soliton_encirclement_ros.cli.fly.fly_order import LAND
from soliton_encirclement_ros.cli.fly.standing import Progress, Standing

DONE = Standing(Progress.DONE, 'disarmed')
LATE = Standing(Progress.UNDER_WAY, 'the autopilot lands')
FAILED = Standing(Progress.FAILED, 'refused: no')


@pytest.mark.parametrize(
    ('found', 'code', 'out', 'err'),
    [
        ({'uav_1': DONE, 'uav_2': DONE}, 0, 'stand, disarmed: uav_1, uav_2\n', ''),
        (
            {'uav_1': DONE, 'uav_2': LATE, 'uav_3': FAILED}, 1, 'stand, disarmed: uav_1\n',
            'error: uav_2 not confirmed: the autopilot lands\n'
            'error: uav_3 not confirmed: refused: no\n',
        ),
    ],
)  # fmt: skip
def test_who_does_as_ordered_is_named_and_who_does_not(capsys, found, code, out, err):
    assert conclude(LAND, found) == code
    assert capsys.readouterr() == (out, err)


def test_nobody_is_no_success(capsys):
    assert conclude(LAND, {}) == refuse('no take-off', [], {}) == 1
    out, err = capsys.readouterr()
    assert (out, err.count('error: no bridge of a vehicle found')) == ('', 2)


def test_every_fault_at_the_gate_is_a_line(capsys):
    faults = {'uav_2': ['no battery', 'no odometry']}
    assert refuse('no take-off', ['uav_1', 'uav_2'], faults) == 1
    assert capsys.readouterr().err.splitlines() == [
        'error: uav_2: no battery',
        'error: uav_2: no odometry',
        'error: no take-off: 1 of 2 vehicles not ready; ready: uav_1',
    ]
