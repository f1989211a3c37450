"""Tolerances of the polyline rules, as in the original."""

STEPS = 30
"""Number of intervals between the smallest and the largest acceleration that are searched."""

TIME_TOLERANCE = 1e-6
"""Tolerance of times [s]."""

DISTANCE_TOLERANCE = 1.0
"""Largest distance [m] by which a prediction may exceed the distance to a vertex."""

ARRIVAL_DISTANCE = 0.1
"""Distance [m] to the last vertex at which the body has arrived."""

EPSILON = 1e-12
"""Speeds [m/s] and accelerations [m/s^2] below it are zero."""

MACHINE_EPSILON = 2.220446049250313e-16
"""The spacing of floating-point numbers at 1."""

MAX_STEPS = 200_000
"""Length of a prediction after which it is given up."""

LARGEST_STEPS = 1e15
"""Number of steps from which rounding a time is refused."""
