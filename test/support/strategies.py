"""Numbers that nobody should send, for hypothesis."""

import math

from hypothesis import strategies as st

WORST = [math.nan, math.inf, -math.inf, 1e308, -1e308, 1e200, 5e-324, 0.0, -0.0]

ANY_NUMBER = st.one_of(st.sampled_from(WORST), st.floats(allow_nan=True, allow_infinity=True))
"""Every double, the bad ones often: left to itself hypothesis draws them once in a hundred."""
