"""Ages in messages: never shorter than the limit that they are said to exceed."""

from hypothesis import given, strategies as st

from velocity_mobility_ros.core.step_time import lasting


@given(st.floats(0.001, 1e5))
def test_what_is_over_a_limit_is_not_said_to_be_below_it(limit: float) -> None:
    assert float(lasting(limit + 1e-4).removesuffix(' s')) >= limit


def test_it_is_rounded_up_to_a_tenth() -> None:
    assert [lasting(age) for age in (0.3, 0.34, 0.5, 2.0, 12.01)] == [
        '0.3 s', '0.4 s', '0.5 s', '2.0 s', '12.1 s',
    ]  # fmt: skip
