"""The latch of the emergency stop: which order counts, heartbeats, and what ends a stop."""

from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.emergency_stop import (
    EVERYBODY, ITSELF, MAX_OPERATORS, MAX_SCOPES, StopLatch, StopOrder, checked, newest_ns,
    reason_to_stop, released, with_heartbeat, with_order, with_own_stop, without_operator
)

ME, OTHER = 'uav_1', 'uav_2'

ORDERS = st.builds(
    StopOrder,
    scope=st.sampled_from([EVERYBODY, ME, OTHER]),
    stop=st.booleans(),
    stamp_ns=st.integers(1, 6),
    source=st.sampled_from(['ann', 'bob']),
)


def after(*orders: StopOrder, member: str = ME) -> StopLatch:
    """Return the latch of a member that has heard some orders."""
    latch = released(member)
    for order in orders:
        latch = with_order(latch, order)
    return latch


def stop(stamp_ns: int, scope: str = EVERYBODY) -> StopOrder:
    """Return an order to stop."""
    return StopOrder(scope, True, stamp_ns, 'ann')


def release(stamp_ns: int, scope: str = EVERYBODY) -> StopOrder:
    """Return an order to release."""
    return StopOrder(scope, False, stamp_ns, 'bob')


def is_stopped(latch: StopLatch) -> bool:
    """Say whether a member is stopped."""
    return bool(reason_to_stop(latch))


def test_the_newest_order_counts_and_a_stop_at_a_tie() -> None:
    assert reason_to_stop(after(stop(5))) == 'ann'
    assert not is_stopped(after(stop(5), release(6)))
    assert is_stopped(after(release(6), stop(7)))
    assert is_stopped(after(stop(5), release(4)))
    assert is_stopped(after(release(5), stop(5)))
    assert is_stopped(after(stop(5), release(5)))


def test_stops_of_one_and_of_all_are_released_apart() -> None:
    both = after(stop(1), stop(2, ME))
    assert is_stopped(with_order(both, release(3)))
    assert is_stopped(with_order(both, release(3, ME)))
    assert not is_stopped(with_order(with_order(both, release(3)), release(3, ME)))


def test_a_stop_of_another_concerns_only_who_keeps_it() -> None:
    latch = after(stop(1, OTHER))
    assert not is_stopped(latch)
    assert latch.orders['uav_2'].stop
    assert newest_ns(latch) == 0


@given(st.lists(ORDERS), st.randoms(use_true_random=False))
def test_the_order_of_arrival_and_repetitions_do_not_matter(orders, random) -> None:
    shuffled = [*orders, *orders]
    random.shuffle(shuffled)
    one, other = after(*orders), after(*shuffled)
    assert is_stopped(one) == is_stopped(other)
    assert newest_ns(one) == newest_ns(other)
    for scope, order in one.orders.items():
        assert other.orders[scope][:3] == order[:3]


@given(st.lists(ORDERS), ORDERS)
def test_only_a_newer_release_ends_a_stop(orders, last) -> None:
    before = after(*orders)
    if is_stopped(before) and not is_stopped(with_order(before, last)):
        assert not last.stop
        assert last.stamp_ns > before.orders[last.scope].stamp_ns


@given(st.lists(ORDERS))
def test_an_order_that_changes_nothing_returns_the_same_memory(orders) -> None:
    latch = after(*orders)
    for order in orders:
        assert with_order(latch, order) is latch


def test_without_a_heartbeat_nobody_waits_for_one() -> None:
    assert not is_stopped(checked(released(ME), 1e9, 0))


def test_a_missing_heartbeat_stops_until_released() -> None:
    latch = with_heartbeat(released(ME), 'ann', 1.0, 10.0)
    assert not is_stopped(checked(latch, 11.0, 0))
    late = checked(latch, 11.001, 0)
    assert reason_to_stop(late) == 'no heartbeat of ann for 1 s'
    back = checked(with_heartbeat(late, 'ann', 1.0, 12.0), 12.5, 0)
    assert is_stopped(back)  # a heartbeat that is back releases nobody
    assert not is_stopped(with_order(back, release(1)))
    assert not is_stopped(with_order(back, release(1, ME)))
    assert is_stopped(with_order(back, release(1, OTHER)))


def test_a_release_of_all_forgets_the_heartbeats_until_the_next() -> None:
    latch = with_order(with_heartbeat(released(ME), 'ann', 1.0, 0.0), release(1))
    assert not is_stopped(checked(latch, 100.0, 0))
    again = with_heartbeat(latch, 'ann', 1.0, 100.0)
    assert is_stopped(checked(again, 102.0, 0))


def test_an_operator_may_end_the_watch_and_the_others_go_on() -> None:
    latch = with_heartbeat(with_heartbeat(released(ME), 'ann', 1.0, 0.0), 'bob', 5.0, 0.0)
    left = without_operator(latch, 'ann')
    assert not is_stopped(checked(left, 4.0, 0))
    assert reason_to_stop(checked(left, 6.0, 0)) == 'no heartbeat of bob for 5 s'


@given(st.lists(st.floats(0.0, 0.99), min_size=1, max_size=30))
def test_heartbeats_within_the_timeout_stop_nobody(gaps) -> None:
    latch, now = with_heartbeat(released(ME), 'ann', 1.0, 0.0), 0.0
    for gap in gaps:
        now += gap
        latch = checked(with_heartbeat(latch, 'ann', 1.0, now), now, 0)
        assert not is_stopped(latch)
    assert is_stopped(checked(latch, now + 1.01, 0))


def test_a_member_that_has_stopped_itself_is_released_by_name_or_with_all() -> None:
    latch = with_own_stop(after(release(3)), 'target lost', 5)
    assert reason_to_stop(latch) == f'{ITSELF}target lost'
    assert newest_ns(latch) == 5
    for scope in (EVERYBODY, ME):
        assert not is_stopped(with_order(latch, release(6, scope)))
    assert is_stopped(with_order(latch, release(6, OTHER)))
    assert with_order(latch, release(3)) is latch


@given(st.integers(4, 9))
def test_only_a_release_that_is_newer_ends_an_own_stop(stamp_ns: int) -> None:
    """One that was given before, and was long on its way, was not meant for it."""
    latch = with_own_stop(after(release(3)), 'target lost', 5)
    assert is_stopped(with_order(latch, release(stamp_ns))) == (stamp_ns <= 5)


def test_an_own_stop_stays_beside_others_and_tells_nobody() -> None:
    latch = with_own_stop(released(ME), 'target lost', 5)
    assert not latch.orders
    assert with_own_stop(latch, 'another reason', 9) is latch
    both = with_order(latch, stop(7))
    assert reason_to_stop(both) == f'ann; {ITSELF}target lost'
    assert reason_to_stop(with_order(latch, stop(7, ME))) == f'ann; {ITSELF}target lost'
    assert not is_stopped(with_order(both, release(8)))
    by_name = with_order(both, release(8, ME))
    assert reason_to_stop(by_name) == 'ann'


def test_the_memory_is_bounded() -> None:
    latch = after(*(stop(1, f'uav_{k}') for k in range(2, MAX_SCOPES + 100)), member=ME)
    assert len(latch.orders) == MAX_SCOPES
    for k in range(100):
        latch = with_heartbeat(latch, f'operator {k}', 1.0, 0.0)
    assert len(latch.beats) == MAX_OPERATORS


def test_a_release_that_was_given_before_a_heartbeat_was_missed_does_not_end_the_stop() -> None:
    """It comes late, from who keeps it for those that start later."""
    latch = checked(with_heartbeat(released(ME), 'ann', 1.0, 10.0), 11.001, 7)
    assert is_stopped(latch) and newest_ns(latch) == 7
    for scope in (EVERYBODY, ME):
        assert is_stopped(with_order(latch, release(6, scope)))
        assert not is_stopped(with_order(latch, release(8, scope)))
