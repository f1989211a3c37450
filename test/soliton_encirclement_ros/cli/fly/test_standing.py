"""How an order stands with a vehicle, from its answers and reports."""

import pytest

from soliton_encirclement_ros.cli.fly import fly_order
from soliton_encirclement_ros.cli.fly.fly_order import Attempt, OrderProgress, order_status
from support.fly.reports import HOLDING, snapshot
from velocity_mobility_ros.autopilot.engage.engage_records import State

DONE, UNDER_WAY, FAILED = OrderProgress.DONE, OrderProgress.UNDER_WAY, OrderProgress.FAILED
AIRBORNE = {'armed': 'true', 'landed': 'false', 'ready': 'false'}
ORDERS = [
    fly_order.AGREE, fly_order.CANCEL, fly_order.TAKE_OFF, fly_order.ENGAGE, fly_order.HOLD,
    fly_order.LAND, fly_order.RETURN, fly_order.DISARM, fly_order.KILL, fly_order.RESET,
]  # fmt: skip


def judged(order, state, reason='x', accepted=True, overruled='', **changes):
    """Return how an order stands after an answer."""
    seen = snapshot(reason, state=state, **{**AIRBORNE, **changes})
    return order_status(order, Attempt(1.0, accepted, 'the answer', overruled, seen))


@pytest.mark.parametrize(
    ('state', 'progress'),
    [
        ('READY', FAILED), ('PRECHECK', UNDER_WAY), ('ARMING', UNDER_WAY),
        ('TAKE_OFF', UNDER_WAY), ('LANDING', FAILED), ('EXTERNAL', FAILED), ('HOLD', DONE),
    ],
)  # fmt: skip
def test_a_takeoff_ends_in_the_air_or_elsewhere(state, progress):
    assert judged(fly_order.TAKE_OFF, state).progress is progress


@pytest.mark.parametrize(
    ('state', 'agrees', 'progress'),
    [('PRECHECK', 'false', UNDER_WAY), ('ARMING', 'false', UNDER_WAY), ('ARMING', 'true', DONE),
     ('READY', 'false', FAILED)],
)  # fmt: skip
def test_who_would_arm_agrees(state, agrees, progress):
    found = judged(fly_order.AGREE, state, agrees=agrees, armed='false')
    assert found.progress is progress


@pytest.mark.parametrize(
    ('state', 'progress'),
    [('TRACK', DONE), ('HOLD', UNDER_WAY), ('BRAKE', FAILED), ('EXTERNAL', FAILED)],
)
def test_who_tracks_is_engaged(state, progress):
    assert judged(fly_order.ENGAGE, state).progress is progress


def test_a_later_order_of_somebody_else_is_named():
    found = judged(fly_order.LAND, 'HOLD', overruled='hold of ann@laptop')
    assert found == (FAILED, 'holds; overruled by hold of ann@laptop')
    assert judged(fly_order.HOLD, 'HOLD', overruled='hold of ann@laptop').progress is DONE


@pytest.mark.parametrize(
    ('state', 'reason', 'progress'),
    [
        ('HOLD', 'holds', DONE),
        ('EXTERNAL', 'the autopilot flies: hold', DONE),
        ('EXTERNAL', 'mode POSCTL by the pilot or another program: engage again', FAILED),
        ('BRAKE', 'brakes', UNDER_WAY),
        ('HANDOVER', 'asked for: hold', UNDER_WAY),
        ('TRACK', 'tracks', FAILED),
        ('FAULT', 'no answer', FAILED),
    ],
)
def test_a_hold_is_by_the_bridge_or_by_the_autopilot(state, reason, progress):
    assert judged(fly_order.HOLD, state, reason).progress is progress


def test_a_landing_ends_disarmed():
    assert judged(fly_order.LAND, 'LANDING').progress is UNDER_WAY
    assert judged(fly_order.LAND, 'READY', armed='false').progress is DONE
    taken = judged(fly_order.LAND, 'EXTERNAL', 'mode POSCTL while landing')
    assert taken == (FAILED, 'somebody else flies (mode POSCTL while landing)')


def test_a_return_is_confirmed_once_the_autopilot_flies_it():
    assert judged(fly_order.RETURN, 'LANDING').progress is DONE
    assert judged(fly_order.RETURN, 'HANDOVER').progress is UNDER_WAY


def test_a_reset_leaves_no_fault():
    assert judged(fly_order.RESET, 'FAULT').progress is FAILED
    assert judged(fly_order.RESET, 'WAIT_LINK').progress is DONE
    assert judged(fly_order.RESET, 'READY', accepted=False).progress is DONE


@pytest.mark.parametrize('order', ORDERS, ids=lambda order: order.request.value)
def test_a_refusal_of_what_is_not_so_is_a_failure(order):
    found = judged(order, 'FAULT', accepted=False)
    assert found == (FAILED, 'refused: the answer')


@pytest.mark.parametrize(
    'order', [fly_order.HOLD, fly_order.LAND, fly_order.RETURN, fly_order.DISARM, fly_order.KILL],
    ids=lambda order: order.request.value,
)  # fmt: skip
def test_a_vehicle_that_stands_need_not_obey(order):
    assert judged(order, 'READY', accepted=False, armed='false').progress is DONE


@pytest.mark.parametrize('order', ORDERS, ids=lambda order: order.request.value)
def test_nothing_is_confirmed_without_an_answer(order):
    """Not even where the last report from before looks as if it were."""
    for state in State:
        for armed in ('true', 'false'):
            found = judged(order, state.name, accepted=None, armed=armed)
            assert found.progress is UNDER_WAY


@pytest.mark.parametrize('order', ORDERS, ids=lambda order: order.request.value)
def test_a_bridge_that_has_fallen_silent_confirms_nothing(order):
    seen = snapshot(state='HOLD', age=2.5, armed='false')
    assert order_status(order, Attempt(5.0, True, seen=seen)) == (
        UNDER_WAY, 'its bridge has not reported for 2.5 s, at most 2 s'
    )  # fmt: skip


def test_a_missing_answer_is_said_after_a_while():
    seen = snapshot('holds', **HOLDING)
    assert order_status(fly_order.LAND, Attempt(2.9, seen=seen)).text == 'asked'
    late = order_status(fly_order.LAND, Attempt(3.1, seen=seen))
    assert late == (UNDER_WAY, 'holds; its bridge does not answer')
    assert order_status(fly_order.LAND, Attempt(3.1)).text.startswith('not heard')
