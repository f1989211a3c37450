"""Who has confirmed an order of the emergency stop, from what members report."""

import pytest

from soliton_encirclement_ros.cli.operator.addressees import (
    MemberReport, is_confirmed, is_final, member_report, members_in_scope, refusing_stamp_ns,
    unconfirmed_reason
)
from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, StopOrder

STOP, RELEASE = (StopOrder(EVERYBODY, stop, 100, 'ann') for stop in (True, False))


def report(stopped: bool, stamp_ns: int) -> MemberReport:
    """Return what a member reports."""
    return MemberReport(stopped, stamp_ns, 0, 'stopped by the operator: bob; other')


def test_a_status_is_read_or_ignored() -> None:
    values = {'emergency_stop': 'true', 'stop_order_ns': '7', 'operator_heartbeats': '2'}
    assert member_report(values, 'x') == MemberReport(True, 7, 2, 'x')
    fenced = member_report({**values, 'fence_distance_m': '-2.50'}, 'x')
    assert fenced is not None and fenced.fence == -2.5
    unfenced = member_report({**values, 'fence_distance_m': 'nan'}, 'x')
    assert unfenced == MemberReport(True, 7, 2, 'x')
    for told in ('other', 'right', 'unknown'):
        twisted = member_report({**values, 'odom_twist': told}, 'x')
        assert twisted is not None and twisted.has_wrong_twist == (told == 'other')
    assert member_report({**values, 'emergency_stop': 'yes'}, 'x') is None
    assert member_report({**values, 'stop_order_ns': 'nan'}, 'x') is None
    assert member_report({'emergency_stop': 'true'}, 'a limiter') is None


def test_an_order_concerns_all_or_one() -> None:
    members = ['fleet/uav_1', 'fleet/uav_12', 'fleet/target']
    assert members_in_scope(members, EVERYBODY) == members
    assert members_in_scope(members, 'uav_1') == ['fleet/uav_1']


@pytest.mark.parametrize(
    ('order', 'said', 'confirmed', 'final', 'why'),
    [
        (STOP, None, False, False, 'no diagnostics'),
        (STOP, report(False, 99), False, False, 'has not heard the order'),
        (STOP, report(True, 99), False, False, 'has not heard the order'),
        (STOP, report(True, 100), True, True, None),
        (STOP, report(True, 101), True, True, None),
        (STOP, report(False, 101), False, False, 'flies by a newer order'),
        (RELEASE, report(False, 100), True, True, None),
        (RELEASE, report(True, 100), False, True, 'stopped by the operator: bob'),
        (RELEASE, report(True, 99), False, False, 'has not heard the order'),
    ],
)
def test_who_has_heard_and_obeys_has_confirmed(order, said, confirmed, final, why) -> None:
    assert is_confirmed(said, order) == confirmed
    assert is_final(said, order) == final
    if why is not None:
        assert unconfirmed_reason(said, order) == why


def test_only_a_stop_is_given_again_against_a_newer_release() -> None:
    flying = [report(False, 99), report(False, 500), report(True, 900)]
    assert refusing_stamp_ns(flying, STOP) == 500
    assert refusing_stamp_ns(flying, RELEASE) == 0
    assert refusing_stamp_ns([report(False, 99)], STOP) == 0
