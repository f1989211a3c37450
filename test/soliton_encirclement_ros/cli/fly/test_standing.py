"""How an order stands with a vehicle, from its answers and reports."""

import pytest
from soliton_encirclement_ros.cli.fly import fly_order
from soliton_encirclement_ros.cli.fly.standing import Attempt, Progress, of, standing
from support.fly.reports import HOLDING, sighting
from velocity_mobility_ros.autopilot.engage.states import State

DONE, UNDER_WAY, FAILED = Progress.DONE, Progress.UNDER_WAY, Progress.FAILED
AIRBORNE = {'armed': 'true', 'landed': 'false', 'ready': 'false'}
ORDERS = [
    fly_order.TAKE_OFF, fly_order.ENGAGE, fly_order.HOLD, fly_order.LAND, fly_order.RETURN,
    fly_order.DISARM, fly_order.KILL, fly_order.RESET,
]  # fmt: skip


def judged(order, state, reason='x', since=(), later=0, accepted=True, **changes):
    """Return how an order stands after an answer."""
    seen = sighting(reason, state=state, **{**AIRBORNE, **changes})
    return standing(
        order,
        Attempt(1.0, accepted, 'the answer', frozenset(State[one] for one in since), later, seen),
    )


@pytest.mark.parametrize(
    ('state', 'since', 'later', 'progress'),
    [
        ('READY', (), 0, UNDER_WAY),  # may be from before the order
        ('READY', (), 2, FAILED),
        ('PRECHECK', ('PRECHECK',), 1, UNDER_WAY),
        ('READY', ('PRECHECK',), 1, FAILED),
        ('TAKE_OFF', ('PRECHECK', 'TAKE_OFF'), 3, UNDER_WAY),
        ('LANDING', ('TAKE_OFF',), 3, FAILED),
        ('EXTERNAL', ('TAKE_OFF',), 3, FAILED),
        ('HOLD', ('TAKE_OFF',), 1, DONE),
        ('HOLD', (), 2, DONE),
    ],
)
def test_a_takeoff_ends_in_the_air_or_elsewhere(state, since, later, progress):
    assert judged(fly_order.TAKE_OFF, state, since=since, later=later).progress is progress


@pytest.mark.parametrize(
    ('state', 'since', 'progress'),
    [
        ('TRACK', (), DONE), ('HOLD', ('HOLD',), UNDER_WAY), ('BRAKE', ('TRACK',), FAILED),
        ('EXTERNAL', ('TRACK',), FAILED),
    ],
)  # fmt: skip
def test_who_tracks_is_engaged(state, since, progress):
    assert judged(fly_order.ENGAGE, state, since=since, later=2).progress is progress


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
    assert judged(fly_order.HOLD, state, reason, later=2).progress is progress


def test_a_landing_ends_disarmed():
    landing = judged(fly_order.LAND, 'LANDING', since=('LANDING',), later=9)
    assert landing.progress is UNDER_WAY
    landed = judged(fly_order.LAND, 'READY', since=('LANDING',), later=9, armed='false')
    assert landed.progress is DONE
    taken = judged(fly_order.LAND, 'EXTERNAL', 'mode POSCTL while landing', since=('LANDING',))
    assert taken == (FAILED, 'somebody else flies (mode POSCTL while landing)')


def test_a_return_is_confirmed_once_the_autopilot_flies_it():
    assert judged(fly_order.RETURN, 'LANDING', since=('HANDOVER',)).progress is DONE
    assert judged(fly_order.RETURN, 'LANDING').progress is UNDER_WAY  # of a landing before


def test_a_reset_leaves_no_fault():
    assert judged(fly_order.RESET, 'FAULT', later=2).progress is FAILED
    assert judged(fly_order.RESET, 'WAIT_LINK', later=2).progress is DONE
    assert judged(fly_order.RESET, 'READY', accepted=False).progress is DONE


@pytest.mark.parametrize('order', ORDERS, ids=lambda order: order.service)
def test_a_refusal_of_what_is_not_so_is_a_failure(order):
    found = judged(order, 'FAULT', accepted=False)
    assert found == (FAILED, 'refused: the answer')


@pytest.mark.parametrize(
    'order', [fly_order.HOLD, fly_order.LAND, fly_order.RETURN, fly_order.DISARM, fly_order.KILL],
    ids=lambda order: order.service,
)  # fmt: skip
def test_a_vehicle_that_stands_need_not_obey(order):
    assert judged(order, 'READY', accepted=False, armed='false').progress is DONE


@pytest.mark.parametrize('order', ORDERS, ids=lambda order: order.service)
def test_nothing_is_confirmed_without_an_answer(order):
    """Not even where the last report from before looks as if it were."""
    for state in State:
        for armed in ('true', 'false'):
            found = judged(order, state.name, later=9, accepted=None, armed=armed)
            assert found.progress is UNDER_WAY


@pytest.mark.parametrize('order', ORDERS, ids=lambda order: order.service)
def test_a_bridge_that_has_fallen_silent_confirms_nothing(order):
    seen = sighting(state='HOLD', age=2.5, armed='false')
    attempt = Attempt(5.0, True, '', frozenset(State), 9, seen)
    assert standing(order, attempt) == (
        UNDER_WAY, 'its bridge has not reported for 2.5 s, at most 2 s'
    )  # fmt: skip


def test_a_missing_answer_is_said_after_a_while():
    seen = sighting('holds', **HOLDING)
    assert standing(fly_order.LAND, Attempt(2.9, seen=seen)).text == 'asked'
    late = standing(fly_order.LAND, Attempt(3.1, seen=seen))
    assert late == (UNDER_WAY, 'holds; its bridge does not answer')
    absent = standing(fly_order.LAND, Attempt(3.1))
    assert absent.progress is UNDER_WAY
    assert absent.text.startswith('no bridge reports for it')
    assert standing(fly_order.LAND, Attempt(10.1)).progress is FAILED


def test_vehicles_are_found_by_their_progress():
    found = {name: judged(fly_order.HOLD, state, later=2)
             for name, state in (('a', 'HOLD'), ('b', 'FAULT'))}  # fmt: skip
    assert (of(found, DONE), of(found, FAILED), of(found, UNDER_WAY)) == (['a'], ['b'], [])
