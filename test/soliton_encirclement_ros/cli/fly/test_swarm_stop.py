"""The stop of agents during a take-off: whose it is, and whom a release is for."""

import pytest

from soliton_encirclement_ros.cli.fly.agent_stop import (
    foreign_stops, is_ours, release_scopes, unconfirmed_stops, unheard_stops
)
from soliton_encirclement_ros.cli.operator.addressees import MemberReport
from soliton_encirclement_ros.cli.operator.operator_nodes import operator_name
from soliton_encirclement_ros.cli.operator.stop_session import StopOutcome
from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, StopOrder

OURS, ANN = 'ann@laptop (swarm fly, process 3)', 'ann@laptop (swarm stop, process 4)'


def stop(scope=EVERYBODY, source=OURS, is_stop=True):
    """Return an order."""
    return StopOrder(scope, is_stop, 7, source)


def report(text='', stopped=True):
    """Return what a member reports."""
    return MemberReport(stopped, 7, 0, text)


def test_an_order_says_who_gave_it():
    assert is_ours(stop(source=operator_name('swarm fly')))
    assert not is_ours(stop(source=operator_name()))


@pytest.mark.parametrize(
    ('orders', 'names', 'found'),
    [
        ([], [], []),
        ([stop(), stop('uav_1')], [], []),
        ([stop(source=ANN)], [], [ANN]),
        ([stop(source=ANN, is_stop=False)], [], []),
        ([stop('uav_2', ANN)], [], [ANN]),
        ([stop('uav_2', ANN)], ['uav_1'], []),
        ([stop('uav_2', ANN)], ['uav_2'], [ANN]),
        ([stop(source=ANN)], ['uav_2'], [ANN]),
    ],
)
def test_a_stop_by_somebody_else_is_found(orders, names, found):
    assert foreign_stops(orders, {}, names) == found


def test_a_stop_by_a_missing_heartbeat_is_somebody_elses():
    lost = report('stopped by the operator: no heartbeat of ann for 1 s')
    reports = {'uav_1': report('stopped by the operator: x'), 'uav_2': lost}
    assert foreign_stops([stop()], reports, []) == ['a missing heartbeat of swarm stop --hold']
    assert foreign_stops([stop()], reports, ['uav_1']) == []
    assert foreign_stops([], {'uav_2': lost._replace(stopped=False)}, []) == []


@pytest.mark.parametrize(
    ('orders', 'text', 'names', 'found'),
    [
        ([], 'stopped by the operator: ann', [], ['uav_1']),
        ([StopOrder(EVERYBODY, False, 6, ANN)], 'stopped by the operator: ann', [], ['uav_1']),
        ([stop()], 'stopped by the operator: ann', [], []),
        ([stop('uav_1')], 'stopped by the operator: ann', [], []),
        ([stop('uav_2')], 'stopped by the operator: ann', [], ['uav_1']),
        ([], 'stopped by the operator: ann', ['uav_2'], []),
        ([], 'stopped by itself: no target', [], []),
        ([], 'stopped by the operator: no heartbeat of ann for 1 s', [], []),
    ],
)
def test_an_order_that_a_member_obeys_and_that_is_not_known_here_is_found(
    orders, text, names, found
):
    reports = {'uav_1': report(text), 'uav_2': report(stopped=False)}
    assert unheard_stops(orders, reports, names) == found
    assert ('an order that uav_1 obeys' in foreign_stops(orders, reports, names)) == bool(found)


def test_who_does_not_confirm_is_named_with_the_reason():
    outcome = StopOutcome(['target', 'uav_1'], {'uav_2': 'has not heard the order'}, 1.0)
    assert unconfirmed_stops(outcome, ['uav_1', 'uav_2', 'uav_3']) == {
        'uav_2': 'has not heard the order', 'uav_3': 'no agent found'
    }  # fmt: skip


@pytest.mark.parametrize(
    ('orders', 'names', 'scopes'),
    [
        ([stop()], [], [EVERYBODY]),
        ([stop('uav_1'), stop()], [], ['uav_1', EVERYBODY]),
        ([stop()], ['uav_1'], ['uav_1', EVERYBODY]),
        ([stop('uav_1')], ['uav_1'], ['uav_1']),
        ([stop(source=ANN)], ['uav_1'], ['uav_1']),
        ([stop('uav_2', ANN)], [], [EVERYBODY]),
        ([], [], [EVERYBODY]),
    ],
)
def test_everybody_is_released_last_and_only_from_our_own_stop(orders, names, scopes):
    assert release_scopes(orders, names) == scopes
